from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LoomResult(TypedDict):
    threads: int


class Loom(GraphBusNode):
    @schema_method
    def weave(self, cloth: str) -> LoomResult:
        return {"threads": 10 * len(cloth)}
