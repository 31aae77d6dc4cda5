from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Ping(TypedDict):
    wave: float


class Buoy(GraphBusNode):
    @schema_method
    def ping(self, bay: str) -> Ping:
        return {"wave": 1.5}


class Surf(GraphBusNode):
    @depends_on("Buoy.ping")
    @schema_method
    def rate(self, height: float) -> dict[str, int]:
        return {"stars": int(height * 2)}
