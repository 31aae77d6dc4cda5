from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class StoreResult(TypedDict):
    doubled: int


class Store(GraphBusNode):
    @depends_on("Parser.parse")
    @schema_method
    def reserve(self, capacity: int) -> StoreResult:
        return {"doubled": capacity * 2}
