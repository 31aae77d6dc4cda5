from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Reading(TypedDict):
    meter: str
    day_kwh: float
    night_kwh: float


class Meter(GraphBusNode):
    @schema_method
    def read(self, meter: str) -> Reading:
        return {"meter": meter, "day_kwh": 10.0, "night_kwh": 40.0}
