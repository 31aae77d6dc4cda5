from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Leg(TypedDict):
    origin: str
    dest: str


class Flight(GraphBusNode):
    @schema_method
    def leg(self, text: str) -> Leg:
        origin, dest = text.split(">")
        return {"origin": origin, "dest": dest}
