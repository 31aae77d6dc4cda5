from graphbus_core import GraphBusNode, depends_on, schema_method


class Alarm(GraphBusNode):
    LOW = 100.0

    @depends_on("Tank.level")
    @schema_method(input_schema={"litres": float}, output_schema={"low": bool})
    def check(self, litres):
        return {"low": litres < self.LOW}
