from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Lap(TypedDict):
    seconds: float
    strokes: int


class Stopwatch(GraphBusNode):
    @schema_method
    def lap(self, boat: str) -> Lap:
        return {"seconds": 103.5, "strokes": 60}


class Coach(GraphBusNode):
    @depends_on("Stopwatch.lap")
    @schema_method
    def pace(self, seconds: int, strokes: int) -> dict[str, float]:
        return {"per_minute": strokes * 60 / seconds}
