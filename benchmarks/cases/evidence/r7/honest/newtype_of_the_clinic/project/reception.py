from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from ids import PatientId


class Admission(TypedDict):
    mrn: PatientId
    insurance: str
    name: str


class Reception(GraphBusNode):
    @schema_method
    def admit(self, name: str) -> Admission:
        return {"mrn": PatientId("M-0021"), "insurance": "H-9", "name": name}
