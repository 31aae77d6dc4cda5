from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PoolResult(TypedDict):
    id: int
    group: str


class Pool(GraphBusNode):
    @schema_method
    def pick(self, seed: int) -> PoolResult:
        return {"id": seed * 7 % 100, "group": "g"}

    def after(self, picked: PoolResult) -> int:
        return picked["id"] + 1
