from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CrawlerResult(TypedDict):
    address: str
    status: int


class Crawler(GraphBusNode):
    @schema_method
    def visit(self, n: int) -> CrawlerResult:
        return {"address": f"http://h/{n}", "status": 200}
