from graphbus_core import GraphBusNode, schema_method


class Garden(GraphBusNode):
    @schema_method(input_schema={"bed": str}, output_schema={"stems": int, "kind": str})
    def cut(self, bed):
        return {"stems": 9, "kind": bed}
