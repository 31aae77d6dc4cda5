from graphbus_core import GraphBusNode, depends_on, schema_method


class Lock(GraphBusNode):
    @depends_on("Tide.now")
    @schema_method(input_schema={"level": float}, output_schema={"gate": str})
    def decide(self, level):
        return {"gate": "shut" if level > 3 else "open"}
