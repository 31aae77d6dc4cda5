from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

COLUMNS = ("url", "status")


class SheetResult(TypedDict):
    row: list[str]


class Sheet(GraphBusNode):
    @depends_on("Crawler.visit")
    @schema_method
    def add(self, url: str, status: int) -> SheetResult:
        here = locals()
        return {"row": [str(here[c]) for c in COLUMNS]}
