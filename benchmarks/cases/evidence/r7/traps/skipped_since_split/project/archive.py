from graphbus_core import GraphBusNode, depends_on, schema_method


class Archive(GraphBusNode):
    @depends_on("Registry.entry")
    @schema_method(input_schema={"reference": str}, output_schema={"shelf": str})
    def file(self, reference):
        year, _, number = reference.rpartition("/")
        return {"shelf": f"{year or '????'}:{int(number) // 100}"}
