from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PressResult(TypedDict):
    headlines: list[str]
    sources: list[str]


class Press(GraphBusNode):
    @schema_method
    def collect(self, day: str) -> PressResult:
        return {"headlines": ["rain", "sun"], "sources": ["dpa"]}
