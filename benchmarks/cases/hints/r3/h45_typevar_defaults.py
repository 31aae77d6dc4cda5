"""PEP 696: parameters left out take their default."""
from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypedDict, TypeVar

from graphbus_core import GraphBusNode, subscribe

A = TypeVar("A")
N = TypeVar("N", default=int)


@dataclass
class Span(Generic[N]):
    lo: N
    hi: N


@dataclass
class Tagged(Generic[A, N]):
    tag: A
    num: N


class Event(TypedDict):
    plain: Span
    texts: Span[str]
    half: Tagged[str]
    full: Tagged[str, bool]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"plain": {"lo": 1, "hi": 2}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": True}},
    {"plain": {"lo": 0, "hi": 0}, "texts": {"lo": "", "hi": ""}, "half": {"tag": "", "num": 0}, "full": {"tag": "", "num": False}},
    {"plain": {"lo": -1, "hi": 2, "mid": "x"}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": True}},
]
BAD = [
    {"plain": {"lo": "1", "hi": 2}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": True}},
    {"plain": {"lo": 1, "hi": 2}, "texts": {"lo": 1, "hi": 2}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": True}},
    {"plain": {"lo": 1, "hi": 2}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": "1"}, "full": {"tag": "t", "num": True}},
    {"plain": {"lo": 1, "hi": 2}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": 1, "num": 1}, "full": {"tag": "t", "num": True}},
    {"plain": {"lo": 1, "hi": 2}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": 1}},
    {"plain": {"lo": 1}, "texts": {"lo": "a", "hi": "b"}, "half": {"tag": "t", "num": 1}, "full": {"tag": "t", "num": True}},
]
