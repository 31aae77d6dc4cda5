from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ScaleResult(TypedDict):
    patient: str
    weight: float


class Scale(GraphBusNode):
    @schema_method
    def weigh(self, patient: str) -> ScaleResult:
        return {"patient": patient, "weight": 80.0}
