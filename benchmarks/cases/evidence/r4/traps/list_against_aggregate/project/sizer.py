from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SizerResult(TypedDict):
    block: list[int]


class Sizer(GraphBusNode):
    @schema_method
    def sizes(self, names: list[str]) -> SizerResult:
        return {"block": [len(n) * 100 for n in names]}
