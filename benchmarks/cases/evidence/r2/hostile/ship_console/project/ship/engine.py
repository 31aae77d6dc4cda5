from graphbus_core import GraphBusNode, depends_on, schema_method

GAUGES = ("speed", "course")


class Engine(GraphBusNode):
    @depends_on("Bridge.order")
    @schema_method(input_schema={"speed": int, "course": int}, output_schema={"shown": str})
    def obey(self, **orders):
        for name, value in orders.items():
            setattr(self, "_" + name, value)
        return {"shown": " ".join(str(getattr(self, "_" + g, "-")) for g in GAUGES)}
