from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Plucked(TypedDict):
    leaf: str


class Garden(GraphBusNode):
    @schema_method
    def pluck(self, hill: int) -> Plucked:
        return {"leaf": ["Assam", "Ceylon", "Darjeeling"][hill]}


class Blender(GraphBusNode):
    @depends_on("Garden.pluck")
    @schema_method
    def mix(self, sort: str) -> dict[str, str]:
        return {"tin": sort + " blend"}
