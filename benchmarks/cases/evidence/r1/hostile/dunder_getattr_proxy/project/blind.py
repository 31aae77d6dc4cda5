from graphbus_core import GraphBusNode, depends_on, schema_method


class Sensor(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"lux": int})
    def now(self):
        return {"lux": 9000}


class Blind(GraphBusNode):
    @depends_on("Sensor.now")
    @schema_method(input_schema={"light": int}, output_schema={"down": bool})
    def move(self, light):
        return {"down": light > 5000}
