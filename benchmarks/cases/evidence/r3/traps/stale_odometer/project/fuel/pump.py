from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Filling(TypedDict):
    litres: float
    celsius: float


class Pump(GraphBusNode):
    @schema_method
    def fill(self, pulses: int, celsius: float) -> Filling:
        return {"litres": pulses / 100, "celsius": celsius}
