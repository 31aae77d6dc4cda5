from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ResolverResult(TypedDict):
    name: str
    last_known: str
    current: str


class Resolver(GraphBusNode):
    @schema_method
    def resolve(self, name: str) -> ResolverResult:
        return {"name": name, "last_known": "110", "current": "" if name == "zed" else "4711"}
