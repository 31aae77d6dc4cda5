from graphbus_core import GraphBusNode, depends_on, schema_method


class Mic(GraphBusNode):
    @schema_method(input_schema={"room": str}, output_schema={"level": float})
    def hear(self, room):
        return {"level": {"hall": 1000.0, "cell": 10.0}[room]}


class Meter(GraphBusNode):
    @depends_on("Mic.hear")
    @schema_method(input_schema={"db": float}, output_schema={"leds": int})
    def show(self, db):
        return {"leds": int(db // 10)}
