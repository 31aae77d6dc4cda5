from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Length(TypedDict):
    metres: float


class Tape(GraphBusNode):
    @schema_method
    def measure(self, side: str) -> Length:
        return {"metres": {"north": 12.5, "east": 8.0}[side]}


class Fence(GraphBusNode):
    @depends_on("Tape.measure")
    @schema_method
    def posts(self, metres: int) -> dict[str, int]:
        return {"posts": int(-(-metres // 2.5)) + 1}
