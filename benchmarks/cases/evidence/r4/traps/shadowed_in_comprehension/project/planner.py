from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PlannerResult(TypedDict):
    stops: int


class Planner(GraphBusNode):
    @depends_on("Fleet.status")
    @schema_method
    def plan(self, van: str, distance: float) -> PlannerResult:
        return {"stops": int(distance // 100)}
