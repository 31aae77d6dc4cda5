from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Core(TypedDict):
    depth_m: int


class Probe(GraphBusNode):
    @schema_method
    def core(self, hole: str) -> Core:
        return {"depth_m": 310}


class Drill(GraphBusNode):
    @depends_on("Probe.core")
    @schema_method
    def stop(self, depth: int) -> dict[str, bool]:
        return {"stopped": depth > 300}
