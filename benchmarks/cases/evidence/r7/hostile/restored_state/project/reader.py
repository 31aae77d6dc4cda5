from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Where(TypedDict):
    page: int
    chapters: int


class Reader(GraphBusNode):
    @schema_method
    def chapter(self, number: int) -> Where:
        return {"page": 10 * number + 1, "chapters": 12}
