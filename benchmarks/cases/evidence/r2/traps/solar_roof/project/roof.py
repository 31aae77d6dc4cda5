from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Noon(TypedDict):
    kw: float
    hours: float


class Inverter(GraphBusNode):
    @schema_method
    def noon(self, day: str) -> Noon:
        return {"kw": 5.0, "hours": 4.0}


class FeedIn(GraphBusNode):
    @depends_on("Inverter.noon")
    @schema_method
    def credit(self, kwh: float) -> dict[str, float]:
        return {"euros": kwh * 0.1}
