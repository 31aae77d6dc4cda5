from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FilterResult(TypedDict):
    kept: bool
    why: str


class Filter(GraphBusNode):
    @depends_on("Reader.read")
    @schema_method
    def keep(self, content: str, data_id: str) -> FilterResult:
        return {"kept": len(content) > 3, "why": data_id}
