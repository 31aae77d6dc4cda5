from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

ALLOWED = {42, 77}


class Swipe(TypedDict):
    badge: str


class Reader(GraphBusNode):
    @schema_method
    def swipe(self) -> Swipe:
        return {"badge": "0042"}  # site 00, badge 42; "0142" is the same number at site 01


class Door(GraphBusNode):
    @depends_on("Reader.swipe")
    @schema_method
    def open(self, badge: int) -> dict[str, bool]:
        return {"open": badge in ALLOWED}
