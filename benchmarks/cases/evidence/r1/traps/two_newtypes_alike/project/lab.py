from graphbus_core import GraphBusNode, depends_on, schema_method
from lab_ids import CaseId

SAMPLES = {"K-17": "of another patient", "L-2": "of Ada"}


class Lab(GraphBusNode):
    @depends_on("Intake.admit")
    @schema_method
    def order(self, sample: CaseId, ward: str) -> dict[str, str]:
        return {"result": SAMPLES[sample]}
