from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Document(TypedDict):
    key: str
    content: str
    title: str


class Store(GraphBusNode):
    @schema_method
    def fetch(self, key: str) -> Document:
        return {"key": key, "content": "one two three", "title": "T"}
