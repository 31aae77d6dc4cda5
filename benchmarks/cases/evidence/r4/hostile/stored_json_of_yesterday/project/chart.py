from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ChartResult(TypedDict):
    bar: str


class Chart(GraphBusNode):
    @depends_on("Stats.today")
    @schema_method
    def plot(self, count: int) -> ChartResult:
        return {"bar": "*" * count}
