from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PagerResult(TypedDict):
    pages: int


class Pager(GraphBusNode):
    @depends_on("Search.find")
    @schema_method
    def pages(self, hits: int) -> PagerResult:
        return {"pages": -(-hits // 10)}
