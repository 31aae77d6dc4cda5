from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class OdometerResult(TypedDict):
    km: int
    at: int


class Odometer(GraphBusNode):
    @schema_method
    def read(self, n: int) -> OdometerResult:
        return {"km": 1000 * n, "at": n}
