from graphbus_core import GraphBusNode, depends_on, schema_method


class Log(GraphBusNode):
    @depends_on("Door.state")
    @schema_method(input_schema={"open": bool}, output_schema={"line": str})
    def note(self, open):
        return {"line": "open" if open else "shut"}
