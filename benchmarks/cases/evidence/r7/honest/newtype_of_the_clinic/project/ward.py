from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method
from ids import PatientId


class Label(TypedDict):
    label: str


class Ward(GraphBusNode):
    @depends_on("Reception.admit")
    @schema_method
    def bed(self, patient: PatientId) -> Label:
        return {"label": f"{patient}/Bed {4 + len(patient) % 2}"}
