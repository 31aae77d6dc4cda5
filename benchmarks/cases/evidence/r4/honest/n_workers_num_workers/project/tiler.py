from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TilerResult(TypedDict):
    plan: str


class Tiler(GraphBusNode):
    @depends_on("Settings.read")
    @schema_method
    def tile(self, n_workers: int, overlap: int = 0) -> TilerResult:
        return {"plan": f"{n_workers}w/{overlap}"}
