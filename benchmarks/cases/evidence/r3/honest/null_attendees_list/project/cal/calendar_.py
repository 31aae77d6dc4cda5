from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Event(TypedDict):
    rooms: list[str]
    participants: list[str]


class Calendar(GraphBusNode):
    @schema_method
    def event(self, text: str) -> Event:
        who, where = text.split("@")
        return Event(rooms=where.split("+"), participants=who.split("+"))
