from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DoseResult(TypedDict):
    mg: float


class Dose(GraphBusNode):
    @depends_on("Scale.weigh")
    @schema_method
    def compute(self, patient: str, pounds: float) -> DoseResult:
        return {"mg": round(pounds * 2.5, 1)}
