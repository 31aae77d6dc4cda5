from graphbus_core import GraphBusNode, depends_on, schema_method


class Editor(GraphBusNode):
    TEXT = "ab\ncd\nef"

    @depends_on("Parser.parse")
    @schema_method(input_schema={"offset": int}, output_schema={"at": str})
    def jump(self, offset):
        return {"at": self.TEXT[offset]}
