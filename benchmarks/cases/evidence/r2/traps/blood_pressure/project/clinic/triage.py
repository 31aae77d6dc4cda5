from graphbus_core import GraphBusNode, depends_on, schema_method


class Triage(GraphBusNode):
    @depends_on("Cuff.measure")
    @schema_method(input_schema={"pressure": int}, output_schema={"colour": str})
    def colour(self, pressure):
        return {"colour": "red" if pressure > 180 else "green"}
