from typing import Annotated
import msgspec
from graphbus_core import GraphBusNode, subscribe


class Attachment(msgspec.Struct):
    name: str
    size: Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Message(msgspec.Struct, kw_only=True):
    sender: str
    to: Annotated[list[str], msgspec.Meta(min_length=1)]
    subject: str = ""
    attachments: list[Attachment] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Message) -> None: ...


GOOD = [
    {"sender": "a", "to": ["b"]},
    {"sender": "a", "to": ["b", "c"], "subject": "s", "attachments": [{"name": "f", "size": 0}]},
    {"sender": "a", "to": ["b"], "attachments": [], "thread": 4},
]
BAD = [
    {"sender": "a", "to": []},
    {"sender": "a", "to": "b"},
    {"sender": "a", "to": ["b"], "attachments": [{"name": "f", "size": 1001}]},
    {"sender": "a", "to": ["b"], "attachments": [{"name": "f"}]},
    {"sender": "a", "to": ["b"], "subject": None},
    {"to": ["b"]},
]
