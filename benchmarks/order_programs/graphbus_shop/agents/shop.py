"""Orders are placed, reserved, paid and shipped. Those of one customer keep their order."""

from typing import TypedDict

from steps import STOCK, charge, note

from graphbus_core import GraphBusNode, publishes, subscribe


class Order(TypedDict):
    id: int
    customer: str
    n: int
    sku: str
    qty: int


class Paid(Order):
    receipt: str


class Stock(GraphBusNode):
    SHARED = True  # the shelf is a constant of this program

    @subscribe("/Order/Placed", key="customer")
    @publishes("/Order/Reserved", Order)
    def reserve(self, payload: Order):
        if payload["qty"] > STOCK[payload["sku"]]:
            raise ValueError(f"only {STOCK[payload['sku']]} of {payload['sku']}")
        note("reserved", payload)
        self.publish("/Order/Reserved", payload)


class Payment(GraphBusNode):
    SHARED = True

    @subscribe("/Order/Reserved", key="customer", retries=3, backoff_s=0.05)
    @publishes("/Order/Paid", Paid)
    def pay(self, payload: Order):
        receipt = charge(payload)
        note("paid", payload)
        self.publish("/Order/Paid", {**payload, "receipt": receipt})


class Shipping(GraphBusNode):
    SHARED = True

    @subscribe("/Order/Paid", key="customer")
    def ship(self, payload: Paid):
        note("shipped", payload)
