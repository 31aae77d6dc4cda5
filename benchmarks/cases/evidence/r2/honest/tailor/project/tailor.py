from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Sizes(TypedDict):
    chest: int
    sleeve: int


class Cloth(TypedDict):
    metres: float


class Measure(GraphBusNode):
    @schema_method
    def take(self, customer: str) -> Sizes:
        return {"chest": 100, "sleeve": 64}


class Cutter(GraphBusNode):
    @depends_on("Measure.take")
    @schema_method
    def cut(self, bust: int, sleeve: int) -> Cloth:
        return {"metres": (bust + 2 * sleeve) / 100}


class Seamstress(GraphBusNode):
    @depends_on("Cutter.cut")
    @schema_method
    def sew(self, metres: float) -> dict[str, float]:
        return {"hours": metres * 3}
