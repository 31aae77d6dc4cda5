from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Picked(TypedDict):
    color: str
    litres: float


class Palette(GraphBusNode):
    @schema_method
    def pick(self, wall: str) -> Picked:
        return {"color": "#ff0000", "litres": 2.5}


class Painter(GraphBusNode):
    @depends_on("Palette.pick")
    @schema_method
    def coat(self, colour: str, litres: float) -> dict[str, str]:
        return {"order": f"{litres} l {colour}"}
