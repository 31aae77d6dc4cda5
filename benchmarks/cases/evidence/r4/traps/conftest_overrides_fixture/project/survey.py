from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SurveyResult(TypedDict):
    lot: str
    area: float


class Survey(GraphBusNode):
    @schema_method
    def measure(self, lot: str) -> SurveyResult:
        return {"lot": lot, "area": 900.0}
