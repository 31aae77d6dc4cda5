from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TagResult(TypedDict):
    html: str


class Tag(GraphBusNode):
    @depends_on("Shelf.item")
    @schema_method
    def render(self, title: str, desc: str) -> TagResult:
        return {"html": f"<h1>{title}</h1><p>{desc}</p>"}
