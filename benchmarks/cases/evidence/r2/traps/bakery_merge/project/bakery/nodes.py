from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Wish(TypedDict, total=False):
    kind: str
    pieces: int


class Counter(GraphBusNode):
    @schema_method
    def ask(self, kind: str) -> Wish:
        return {"kind": kind, "pieces": 24} if kind == "roll" else {"kind": kind}


class Oven(GraphBusNode):
    """A tray holds a dozen."""

    @depends_on("Counter.ask")
    @schema_method
    def bake(self, kind: str, trays: int) -> dict[str, int]:
        return {"minutes": 20 * trays}
