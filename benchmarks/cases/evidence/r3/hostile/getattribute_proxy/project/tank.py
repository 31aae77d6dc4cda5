from graphbus_core import GraphBusNode, depends_on, schema_method


class Tank(GraphBusNode):
    area = 500

    @schema_method(input_schema={"litres": int}, output_schema={"height": float})
    def gauge(self, litres):
        return {"height": litres / self.area}


class Alarm(GraphBusNode):
    @depends_on("Tank.gauge")
    @schema_method(input_schema={"level": float}, output_schema={"alarm": bool})
    def update(self, level):
        return {"alarm": level > 1.5}
