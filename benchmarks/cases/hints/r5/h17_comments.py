from typing import TypedDict
from graphbus_core import GraphBusNode, subscribe


class Comment(TypedDict):
    author: str
    text: str
    replies: list["Comment"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Comment) -> None: ...


GOOD = [
    {"author": "a", "text": "t", "replies": []},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u", "replies": []}]},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u", "replies": [{"author": "c", "text": "", "replies": [], "likes": 2}]}]},
]
BAD = [
    {"author": "a", "text": "t"},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u"}]},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u", "replies": [{"author": "c", "text": 1, "replies": []}]}]},
    {"author": "a", "text": "t", "replies": ["nice"]},
    {"author": "a", "text": "t", "replies": None},
]
