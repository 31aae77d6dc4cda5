from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class MeterResult(TypedDict):
    meter: str
    reading: int
    previous: int


class Meter(GraphBusNode):
    @schema_method
    def read(self, meter: str) -> MeterResult:
        return {"meter": meter, "reading": 1200, "previous": 1150}
