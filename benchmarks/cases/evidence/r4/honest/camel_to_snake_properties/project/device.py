from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DeviceResult(TypedDict):
    indoor_temperature: float
    set_point: float
    is_alive: bool


class Device(GraphBusNode):
    @schema_method
    def load(self, device_id: str) -> DeviceResult:
        return {"indoor_temperature": 20.5, "set_point": 22.0, "is_alive": True}
