from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Landed(TypedDict):
    pax: int
    origin: str


class Ferry(GraphBusNode):
    @schema_method
    def arrive(self) -> Landed:
        return {"pax": 300, "origin": "SE"}
