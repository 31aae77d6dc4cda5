from graphbus_core import GraphBusNode, depends_on, schema_method


class Valve(GraphBusNode):
    @depends_on("Probe.read")
    @schema_method(input_schema={"wetness": float}, output_schema={"percent": int})
    def set_(self, wetness):
        return {"percent": round(100 * (1 - wetness))}
