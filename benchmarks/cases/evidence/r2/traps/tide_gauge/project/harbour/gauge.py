from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Level(TypedDict):
    level: float


class Gauge(GraphBusNode):
    """Metres above chart datum."""

    @schema_method
    def level(self, quay: str) -> Level:
        return {"level": 2.5}
