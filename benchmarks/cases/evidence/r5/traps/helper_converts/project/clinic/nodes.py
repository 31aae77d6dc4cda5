from clinic.util import prepare
from graphbus_core import GraphBusNode, depends_on, schema_method


class Scale(GraphBusNode):
    @schema_method(input_schema={"patient": str}, output_schema={"weight": float})
    def weigh(self, patient):
        return {"weight": 154.0}


class Dose(GraphBusNode):
    @depends_on("Scale.weigh")
    @schema_method(input_schema={"mass": float}, output_schema={"mg": int})
    def compute(self, mass):
        return {"mg": round(mass * 10)}


def prescribe(patient):
    weighed = Scale().weigh(patient)
    return Dose().compute(mass=prepare(weighed["weight"]))["mg"]
