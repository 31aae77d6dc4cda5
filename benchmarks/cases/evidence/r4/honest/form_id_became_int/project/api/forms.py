from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FormsResult(TypedDict):
    id: int
    title: str


class Forms(GraphBusNode):
    @schema_method
    def publish(self, title: str) -> FormsResult:
        return {"id": 12, "title": title}
