from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FormAddress(TypedDict):
    city: str
    postal_code: str


class RateAddress(TypedDict):
    zip: str


class Filled(TypedDict):
    address: FormAddress
    grams: int


class Checkout(GraphBusNode):
    @schema_method
    def form(self) -> Filled:
        return {"address": {"city": "Kiel", "postal_code": "24103"}, "grams": 900}


class Rates(GraphBusNode):
    @depends_on("Checkout.form")
    @schema_method
    def quote(self, address: RateAddress, grams: int) -> dict[str, str]:
        return {"zone": address["zip"][:2], "class": "S" if grams < 1000 else "L"}
