from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Shipped(TypedDict):
    carrier: str
    tracking: NotRequired[str]


class Carrier(GraphBusNode):
    @schema_method
    def ship(self, carrier: str) -> Shipped:
        return {"carrier": carrier, "tracking": "Z1"} if carrier == "UPS" else {"carrier": carrier}


class Mailer(GraphBusNode):
    @depends_on("Carrier.ship")
    @schema_method(input_schema={"carrier": str, "tracking": str}, output_schema={"body": str})
    def body(self, carrier, tracking=None):
        return {"body": f"With {carrier}" + (f", number {tracking}" if tracking else "")}
