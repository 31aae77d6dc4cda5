from graphbus_core import GraphBusNode, depends_on, schema_method


class Connection(GraphBusNode):
    @depends_on("Profile.get")
    @schema_method(input_schema={"charset": str}, output_schema={"banner": list[int]})
    def open(self, charset):
        return {"banner": list("Grüezi".encode(charset))}
