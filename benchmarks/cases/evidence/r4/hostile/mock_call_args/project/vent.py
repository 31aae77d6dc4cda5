from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class VentResult(TypedDict):
    speed: int


class Vent(GraphBusNode):
    @depends_on("Sensor.poll")
    @schema_method
    def set_speed(self, co2: int) -> VentResult:
        return {"speed": co2 // 400}
