from graphbus_core import GraphBusNode, depends_on, schema_method


class Alarm(GraphBusNode):
    @depends_on("Boiler.poll")
    @schema_method(input_schema={"bar": float}, output_schema={"ring": bool})
    def judge(self, bar):
        return {"ring": bar > 6}
