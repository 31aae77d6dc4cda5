from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class RendersResult(TypedDict):
    name: str
    out: str


class Renders(GraphBusNode):
    @schema_method
    def finish(self, name: str) -> RendersResult:
        return {"name": name, "out": "/srv/out/" + name}
