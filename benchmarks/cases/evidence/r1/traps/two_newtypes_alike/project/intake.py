from typing import TypedDict

from clinic_ids import CaseId
from graphbus_core import GraphBusNode, schema_method


class Admitted(TypedDict):
    admission: CaseId
    ward: str


class Intake(GraphBusNode):
    @schema_method
    def admit(self, name: str) -> Admitted:
        return {"admission": CaseId("K-17"), "ward": "3b"}
