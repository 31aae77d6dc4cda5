from graphbus_core import GraphBusNode, depends_on, schema_method


class Frost(GraphBusNode):
    @depends_on("AirStation.sample")
    @schema_method(input_schema={"temperature": float}, output_schema={"text": str})
    def warn(self, temperature):
        return {"text": "FROST" if temperature < 0 else "ok"}
