from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Reading(TypedDict):
    at: int
    value: int


class Point(TypedDict):
    val: int


class Dump(TypedDict):
    readings: list[Reading]


class Logger(GraphBusNode):
    @schema_method
    def dump(self) -> Dump:
        return {"readings": [{"at": 1, "value": 20}, {"at": 2, "value": 30}]}


class Chart(GraphBusNode):
    @depends_on("Logger.dump")
    @schema_method
    def points(self, readings: list[Point]) -> dict[str, int]:
        return {"peak": max(r["val"] for r in readings)}
