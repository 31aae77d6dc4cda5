from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class KeysResult(TypedDict):
    path: list[str]
    namespace: list[str]


class Keys(GraphBusNode):
    @schema_method
    def make(self, kind: str, n: int) -> KeysResult:
        return {"path": [kind, str(n)], "namespace": ["default"]}
