from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ReaderResult(TypedDict):
    text: str
    id: str


class Reader(GraphBusNode):
    @schema_method
    def read(self, line: str) -> ReaderResult:
        return {"text": line.strip(), "id": "r/0"}
