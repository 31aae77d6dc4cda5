from datetime import datetime, timezone
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Message(TypedDict):
    text: str
    at: datetime


class Chat(GraphBusNode):
    @schema_method
    def last(self, room: str) -> Message:
        return {"text": "hi", "at": datetime(1970, 1, 1, 0, 1, tzinfo=timezone.utc)}


class Presence(GraphBusNode):
    @depends_on("Chat.last")
    @schema_method
    def since(self, at: int) -> dict[str, str]:
        return {"js": f"new Date({at})"}
