from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Opened(TypedDict):
    id: int | str


class Issue(GraphBusNode):
    @schema_method
    def open(self, title: str) -> Opened:
        return {"id": "I_kw0" if title.startswith("new") else 17}


class Comment(GraphBusNode):
    @depends_on("Issue.open")
    @schema_method
    def link(self, id: int) -> dict[str, str]:
        return {"url": f"/issues/{id}"}
