from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, schema_method


class Order(TypedDict):
    patient: str
    drug: str
    dose_ml: NotRequired[float]


class WardRound(GraphBusNode):
    @schema_method
    def order(self, patient: str) -> Order:
        if patient == "Ada":
            return {"patient": patient, "drug": "NaCl", "dose_ml": 50.0}
        return {"patient": patient, "drug": "morphine"}
