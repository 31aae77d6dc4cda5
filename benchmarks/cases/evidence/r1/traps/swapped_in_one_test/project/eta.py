from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Log(TypedDict):
    stw: float
    sog: float


class Ship(GraphBusNode):
    @schema_method
    def log(self) -> Log:
        """Speed through water, speed over ground."""
        return {"stw": 10.0, "sog": 8.0}


class Eta(GraphBusNode):
    @depends_on("Ship.log")
    @schema_method
    def reckon(self, speed: float) -> dict[str, float]:
        return {"hours": 80 / speed}
