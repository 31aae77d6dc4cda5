from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Pack(TypedDict):
    volts: list[float | None]


class Mean(TypedDict):
    mean: float


class Cells(GraphBusNode):
    @schema_method
    def volts(self) -> Pack:
        return {"volts": [4.0, None, 3.0]}


class Balance(GraphBusNode):
    @depends_on("Cells.volts")
    @schema_method
    def mean(self, volts: list[float]) -> Mean:
        return {"mean": sum(volts) / len(volts)}
