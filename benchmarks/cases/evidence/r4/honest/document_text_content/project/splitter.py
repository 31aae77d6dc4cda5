from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SplitterResult(TypedDict):
    chunks: list[list[str]]


class Splitter(GraphBusNode):
    @depends_on("Store.fetch")
    @schema_method
    def split(self, text: str, size: int = 2) -> SplitterResult:
        words = text.split()
        return {"chunks": [words[i:i + size] for i in range(0, len(words), size)]}
