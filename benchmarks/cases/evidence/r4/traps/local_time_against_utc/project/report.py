from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from datetime import datetime


class ReportResult(TypedDict):
    day: str


class Report(GraphBusNode):
    @depends_on("Till.close")
    @schema_method
    def stamp(self, till: str, when_utc: datetime) -> ReportResult:
        return {"day": when_utc.date().isoformat()}
