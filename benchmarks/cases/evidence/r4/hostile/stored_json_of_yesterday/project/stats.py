from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class StatsResult(TypedDict):
    visitors: int


class Stats(GraphBusNode):
    @schema_method
    def today(self, site: str) -> StatsResult:
        return {"visitors": 12}
