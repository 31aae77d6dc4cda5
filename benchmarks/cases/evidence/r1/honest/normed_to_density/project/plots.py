from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Look(TypedDict):
    filled: bool
    density: bool


class Style(GraphBusNode):
    @schema_method
    def pick(self, name: str) -> Look:
        return {"filled": False, "density": True}


class Hist(GraphBusNode):
    @depends_on("Style.pick")
    @schema_method
    def draw(self, normed: bool) -> dict[str, str]:
        return {"y": "share" if normed else "count"}
