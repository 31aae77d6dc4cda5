from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SensorResult(TypedDict):
    ppm: int


class Sensor(GraphBusNode):
    @schema_method
    def poll(self, room: str) -> SensorResult:
        return {"ppm": 1200}
