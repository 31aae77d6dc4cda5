from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Night(TypedDict):
    brightness: int


class Planner(GraphBusNode):
    @schema_method
    def night(self, hour: int) -> Night:
        return {"brightness": 30 if hour < 5 else 80}
