from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Reading(TypedDict):
    room: str
    raw: float
    offset: float


class Sensor(GraphBusNode):
    @schema_method
    def read(self, room: str) -> Reading:
        return {"room": room, "raw": 24.5, "offset": -3.0}
