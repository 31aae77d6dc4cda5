from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Alert(TypedDict):
    craft: str
    bearing: int


class Beacon(GraphBusNode):
    @schema_method
    def alert(self, channel: int) -> Alert:
        return {"craft": "Molly", "bearing": 270}
