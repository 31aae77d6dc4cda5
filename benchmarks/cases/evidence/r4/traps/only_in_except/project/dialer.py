from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DialerResult(TypedDict):
    dialled: str


class Dialer(GraphBusNode):
    @depends_on("Resolver.resolve")
    @schema_method
    def dial(self, name: str, number: str) -> DialerResult:
        return {"dialled": number}
