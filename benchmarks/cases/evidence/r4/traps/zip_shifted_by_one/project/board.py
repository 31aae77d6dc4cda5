from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BoardResult(TypedDict):
    line: str


class Board(GraphBusNode):
    @depends_on("Timetable.stop")
    @schema_method
    def show(self, stop: str, arrives: int) -> BoardResult:
        return {"line": f"{stop} {arrives}"}
