from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Target(TypedDict):
    ra: float
    dec: float


class Telescope(GraphBusNode):
    @schema_method
    def track(self, star: str) -> Target:
        return {"ra": 279.2, "dec": 38.8}
