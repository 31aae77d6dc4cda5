from graphbus_core import GraphBusNode, depends_on, schema_method


class Search(GraphBusNode):
    @depends_on("Limits.of")
    @schema_method(input_schema={"timeout": float}, output_schema={"params": str})
    def query(self, timeout: float):
        return {"params": f"?timeout={timeout:g}s"}
