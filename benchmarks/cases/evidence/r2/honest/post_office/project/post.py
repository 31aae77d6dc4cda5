from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Weighed(TypedDict):
    grams: int
    zone: str


class Scale(GraphBusNode):
    @schema_method
    def weigh(self, letter: str) -> Weighed:
        return {"grams": 30 if letter == "thick" else 15, "zone": "EU"}


class Stamp(GraphBusNode):
    @depends_on("Scale.weigh")
    @schema_method
    def price(self, weight: int, zone: str) -> dict[str, int]:
        return {"cents": (85 if weight <= 20 else 110) + (25 if zone == "EU" else 0)}
