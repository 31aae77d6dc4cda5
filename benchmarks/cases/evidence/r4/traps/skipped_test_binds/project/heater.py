from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Setting(TypedDict):
    on: bool


class Heater(GraphBusNode):
    @depends_on("Sensor.read")
    @schema_method
    def regulate(self, room: str, celsius: float) -> Setting:
        return {"on": celsius < 22.0}
