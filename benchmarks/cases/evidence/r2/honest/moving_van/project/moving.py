from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Goal(TypedDict):
    street: str
    zip: str


class Packed(TypedDict):
    boxes: int
    goal: Goal


class Stop(TypedDict):
    street: str
    postcode: str


class Mover(GraphBusNode):
    @schema_method
    def pack(self, flat: str) -> Packed:
        return {"boxes": 31, "goal": {"street": "Elm 4", "zip": "8001"}}


class Driver(GraphBusNode):
    @depends_on("Mover.pack")
    @schema_method
    def route(self, boxes: int, goal: Stop) -> dict[str, str]:
        return {"sheet": f"{boxes} boxes to {goal['postcode']}, {goal['street']}"}
