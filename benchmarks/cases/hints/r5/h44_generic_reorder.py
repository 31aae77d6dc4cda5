from dataclasses import dataclass, field
from typing import Generic, Optional, TypeVar
from graphbus_core import GraphBusNode, subscribe

A = TypeVar("A")
B = TypeVar("B")


@dataclass
class Root(Generic[A, B]):
    a: A
    b: B
    kids: "list[Root[B, A]]" = field(default_factory=list)


@dataclass
class Swap(Root[B, list[A]], Generic[A, B]):
    c: Optional[A] = None


@dataclass
class Final_(Swap[int, str]):
    d: bool = False


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Final_) -> None: ...


GOOD = [
    {"a": "x", "b": [1]},
    {"a": "x", "b": [], "c": 3, "d": True},
    {"a": "x", "b": [1, 2], "kids": [{"a": [3], "b": "y"}], "c": None},
    {"a": "x", "b": [], "kids": [{"a": [3], "b": "y", "kids": [{"a": "z", "b": [4]}]}]},
]
BAD = [
    {"a": 1, "b": [1]},
    {"a": "x", "b": ["1"]},
    {"a": "x", "b": 1},
    {"a": "x", "b": [1], "c": "3"},
    {"a": "x", "b": [1], "kids": [{"a": "y", "b": [3]}]},
    {"a": "x", "b": [], "kids": [{"a": [3], "b": "y", "kids": [{"a": [4], "b": "z"}]}]},
]
