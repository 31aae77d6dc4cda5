from graphbus_core import GraphBusNode, depends_on, schema_method


class Van(GraphBusNode):
    @depends_on("Bakery.batch")
    @schema_method(input_schema={"units": int}, output_schema={"boxes": int})
    def pack(self, units, note=""):
        return {"boxes": units // 10}
