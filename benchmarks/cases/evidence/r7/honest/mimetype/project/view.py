from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass(frozen=True)
class Page:
    body: str
    content_type: str
    template: str


class View(GraphBusNode):
    @schema_method
    def render(self, name: str) -> Page:
        kind = "application/json" if name.startswith("api/") else "text/html"
        return Page(f"<h1>{name}</h1>", kind, "base")
