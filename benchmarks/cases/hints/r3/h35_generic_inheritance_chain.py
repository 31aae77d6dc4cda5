"""Type parameters renamed, swapped and wrapped on the way down."""
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


@dataclass
class Pair(Generic[A, B]):
    left: A
    right: B


@dataclass
class Swapped(Pair[B, A], Generic[A, B]):
    origin: A


@dataclass
class Wrapped(Swapped[list[T], dict[str, T]]):
    items: list[Pair[T, str]] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Wrapped[int]) -> None: ...


# left: dict[str, int], right: list[int], origin: list[int], items: list[Pair[int, str]]
GOOD = [
    {"left": {}, "right": [], "origin": []},
    {"left": {"a": 1}, "right": [1], "origin": [2], "items": [{"left": 1, "right": "r"}]},
    {"left": {"a": 0}, "right": [], "origin": [0], "items": []},
]
BAD = [
    {"left": [], "right": {}, "origin": []},
    {"left": {"a": "1"}, "right": [], "origin": []},
    {"left": {}, "right": ["1"], "origin": []},
    {"left": {}, "right": [], "origin": {}},
    {"left": {}, "right": [], "origin": [], "items": [{"left": "r", "right": 1}]},
    {"left": {}, "right": []},
]
