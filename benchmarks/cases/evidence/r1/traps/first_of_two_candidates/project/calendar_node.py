from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Slot(TypedDict):
    title: str
    begins: int
    ends: int


class Calendar(GraphBusNode):
    @schema_method
    def slot(self, title: str) -> Slot:
        return {"title": title, "begins": 900, "ends": 1000}
