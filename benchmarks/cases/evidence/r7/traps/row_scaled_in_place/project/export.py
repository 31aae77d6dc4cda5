from graphbus_core import GraphBusNode, depends_on, schema_method


class Export(GraphBusNode):
    @depends_on("Till.row")
    @schema_method(input_schema={"value": int}, output_schema={"record": str})
    def write(self, value):
        return {"record": f"{value:012d}"}
