from dataclasses import dataclass, field
from typing import Generic

from typing_extensions import TypedDict, TypeVar

from graphbus_core import GraphBusNode, subscribe


class Meta(TypedDict):
    source: str
    hop: int


B = TypeVar("B")
M = TypeVar("M", default=Meta)
X = TypeVar("X", bound=int, default=int)


@dataclass
class Message(Generic[B, M]):
    body: B
    meta: M


@dataclass
class Counter(Generic[X]):
    value: X
    previous: list[X] = field(default_factory=list)


@dataclass
class Stats:
    inner: Message[Counter]
    plain: Message[str, dict[str, bool]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Message[Stats]) -> None: ...


GOOD = [
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": 1}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "", "meta": {}}}},
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": 1, "previous": [0, -1]}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "t", "meta": {"ok": True}}}},
    {"meta": {"source": "a", "hop": 1, "x": 1},
     "body": {"inner": {"body": {"value": 1, "previous": []}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "t", "meta": {"ok": False}}}},
]
BAD = [
    {"meta": {"source": "a"},
     "body": {"inner": {"body": {"value": 1}, "meta": {"source": "b", "hop": 2}}, "plain": {"body": "", "meta": {}}}},
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": 1}, "meta": {}}, "plain": {"body": "", "meta": {}}}},
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": "1"}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "", "meta": {}}}},
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": 1}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "", "meta": {"source": "a", "hop": 1}}}},
    {"meta": {"source": "a", "hop": 1},
     "body": {"inner": {"body": {"value": 1, "previous": ["0"]}, "meta": {"source": "b", "hop": 2}},
              "plain": {"body": "", "meta": {}}}},
]
