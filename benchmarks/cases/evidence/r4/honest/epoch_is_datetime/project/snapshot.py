from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SnapshotResult(TypedDict):
    name: str


class Snapshot(GraphBusNode):
    @depends_on("Clock.epoch")
    @schema_method
    def name(self, epoch: str) -> SnapshotResult:
        return {"name": f"snap_{epoch.year}"}
