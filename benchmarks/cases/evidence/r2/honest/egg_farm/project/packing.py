from graphbus_core import GraphBusNode, depends_on, schema_method


class Packing(GraphBusNode):
    @depends_on("Coop.collect")
    @schema_method(input_schema={"eggs": int}, output_schema={"boxes": int})
    def box(self, eggs):
        return {"boxes": eggs // 6}
