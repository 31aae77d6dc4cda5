from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Address(TypedDict):
    street: str
    town: str


class Checkout(TypedDict):
    billing: Address
    shipping: Address


class Basket(GraphBusNode):
    @schema_method
    def checkout(self, customer: str) -> Checkout:
        office = Address(street="Bank St", town="Leeds")
        return Checkout(billing=office, shipping=Address(street="Hill Rd", town="York"))


class Courier(GraphBusNode):
    @depends_on("Basket.checkout")
    @schema_method
    def collect(self, address: Address) -> dict[str, str]:
        return {"tour": address["town"]}
