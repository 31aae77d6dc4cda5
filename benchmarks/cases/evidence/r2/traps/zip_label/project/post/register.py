from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Entry(TypedDict):
    town: str
    zip: int


class Register(GraphBusNode):
    @schema_method
    def find(self, town: str) -> Entry:
        return {"town": "Allston", "zip": 2134}
