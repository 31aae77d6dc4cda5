import math

from graphbus_core import GraphBusNode, depends_on, schema_method


class Compass(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"angle": float})
    def read(self):
        return {"angle": 90.0}


class Servo(GraphBusNode):
    @depends_on("Compass.read")
    @schema_method(input_schema={"angle_rad": float}, output_schema={"x": float})
    def turn(self, angle_rad):
        return {"x": math.sin(angle_rad)}
