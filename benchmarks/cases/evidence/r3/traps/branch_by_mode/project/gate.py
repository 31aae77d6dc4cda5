from graphbus_core import GraphBusNode, depends_on, schema_method


class Gate(GraphBusNode):
    ALLOWED = {"c0ffee", "4711"}

    @depends_on("Reader.scan")
    @schema_method(input_schema={"token": str}, output_schema={"open": bool})
    def open(self, token):
        return {"open": token in self.ALLOWED}
