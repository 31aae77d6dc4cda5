from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CensusResult(TypedDict):
    tent: str
    people: int
    fasting: int


class Census(GraphBusNode):
    @schema_method
    def count(self, tent: str) -> CensusResult:
        return {"tent": tent, "people": 40, "fasting": 12}
