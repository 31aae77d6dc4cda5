from graphbus_core import GraphBusNode, depends_on, schema_method


class Recorder(GraphBusNode):
    @depends_on("Entity.state")
    @schema_method(input_schema={"value": float, "unit": str}, output_schema={"row": str})
    def store(self, value, unit):
        return {"row": f"{value} {unit}"}
