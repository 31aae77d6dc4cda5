from typing import List, Optional, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Reaction(TypedDict):
    emoji: str
    count: int


class _CommentBase(TypedDict):
    id: int
    text: str


class Comment(_CommentBase, total=False):
    replies: List["Comment"]
    quoted: Optional["Comment"]
    reactions: List[Reaction]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Comment) -> None: ...


GOOD = [
    {"id": 1, "text": "hi"},
    {"id": 1, "text": "hi", "replies": [{"id": 2, "text": "yo", "replies": [{"id": 3, "text": ""}]}],
     "quoted": None},
    {"id": 1, "text": "hi", "quoted": {"id": 0, "text": "old", "reactions": [{"emoji": ":)", "count": 2}]}},
]
BAD = [
    {"id": 1},
    {"id": 1, "text": "hi", "replies": [{"id": 2, "text": "yo", "replies": [{"id": 3}]}]},
    {"id": 1, "text": "hi", "quoted": {"id": 0, "text": "old", "reactions": [{"emoji": ":)"}]}},
    {"id": 1, "text": "hi", "replies": None},
    {"id": 1, "text": "hi", "quoted": [{"id": 0, "text": "old"}]},
]
