"""Self inside a dataclass: children of the class's own type."""
from dataclasses import dataclass, field
from typing import Optional

from typing_extensions import Self

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Comment:
    author: str
    text: str
    replies: list[Self] = field(default_factory=list)
    quoted: Optional[Self] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Comment) -> None:
        self.got = payload


GOOD = [
    {"author": "a", "text": "t"},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u", "replies": [{"author": "c", "text": "v"}]}]},
    {"author": "a", "text": "t", "quoted": {"author": "b", "text": "u", "quoted": None}},
]
BAD = [
    {"author": "a"},
    {"author": "a", "text": "t", "replies": [{"author": "b"}]},
    {"author": "a", "text": "t", "replies": ["hi"]},
    {"author": "a", "text": "t", "quoted": {"author": "b", "text": 5}},
    {"author": "a", "text": "t", "replies": [{"author": "b", "text": "u", "replies": [{"text": "v"}]}]},
]
