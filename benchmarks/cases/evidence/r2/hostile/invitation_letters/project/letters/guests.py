from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Guest(TypedDict):
    guest: str
    day: str


class GuestList(GraphBusNode):
    @schema_method
    def next(self, n: int) -> Guest:
        return {"guest": "Ines", "day": "Friday"}
