from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TimetableResult(TypedDict):
    stop: str
    departs: int


class Timetable(GraphBusNode):
    @schema_method
    def stop(self, n: int) -> TimetableResult:
        return {"stop": f"S{n}", "departs": 600 + 10 * n}
