from graphbus_core import GraphBusNode, depends_on, schema_method


class Report(GraphBusNode):
    @depends_on("Importer.read")
    @schema_method(input_schema={"records": int}, output_schema={"line": str})
    def summarise(self, records):
        return {"line": f"{records} records imported"}
