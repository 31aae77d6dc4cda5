from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CensusResult(TypedDict):
    town: str
    inhabitants: int


class Census(GraphBusNode):
    @schema_method
    def row(self, town: str) -> CensusResult:
        return {"town": town, "inhabitants": 1000 * len(town)}
