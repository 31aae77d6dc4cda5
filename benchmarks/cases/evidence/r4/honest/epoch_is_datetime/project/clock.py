from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from datetime import datetime


class ClockResult(TypedDict):
    epoch: datetime


class Clock(GraphBusNode):
    @schema_method
    def epoch(self, year: int) -> ClockResult:
        return {"epoch": datetime(year, 1, 1)}
