from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Choice(TypedDict):
    shade: str
    qty: float
    unit: Literal["l"]


class ColourFan(GraphBusNode):
    @schema_method
    def choose(self, wall: str) -> Choice:
        return {"shade": "fog", "qty": 2.5, "unit": "l"}


class Mixer(GraphBusNode):
    @depends_on("ColourFan.choose")
    @schema_method
    def pour(self, shade: str, quantity: float, unit: Literal["l"]) -> dict[str, str]:
        return {"ticket": f"{quantity:g} {unit} {shade}"}
