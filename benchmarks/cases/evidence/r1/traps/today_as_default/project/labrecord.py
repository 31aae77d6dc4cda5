from datetime import date
from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Result(TypedDict):
    value: float
    taken_on: NotRequired[date]


class Analyser(GraphBusNode):
    @schema_method
    def result(self, tube: str) -> Result:
        return {"value": 5.1} if tube.endswith("?") else {"value": 5.1, "taken_on": date(2026, 1, 2)}


class Record(GraphBusNode):
    @depends_on("Analyser.result")
    @schema_method
    def enter(self, value: float, taken_on: date) -> dict[str, str]:
        return {"row": f"{taken_on:%Y-%m-%d} {value}"}
