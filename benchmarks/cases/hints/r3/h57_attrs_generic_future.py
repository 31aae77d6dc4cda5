"""attrs, postponed annotations, generic and recursive, in a union with a TypedDict."""
from __future__ import annotations

from typing import ClassVar, Generic, Literal, TypedDict, TypeVar

import attrs

from graphbus_core import GraphBusNode, subscribe

V = TypeVar("V")


@attrs.define
class Leaf(Generic[V]):
    op: Literal["leaf"]
    value: V
    arity: ClassVar[int] = 0


@attrs.define(kw_only=True)
class Tree(Generic[V]):
    op: Literal["tree"] = "tree"
    parts: list[Leaf[V] | Tree[V]]


class Empty(TypedDict):
    op: Literal["empty"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Leaf[int] | Tree[int] | Empty) -> None: ...


GOOD = [
    {"op": "leaf", "value": 1},
    {"op": "tree", "parts": [{"op": "leaf", "value": 1}, {"parts": []}]},
    {"parts": [{"op": "tree", "parts": [{"op": "leaf", "value": 2}]}]},
    {"op": "empty", "arity": "x"},
]
BAD = [
    {"op": "leaf", "value": "1"},
    {"op": "tree", "parts": [{"op": "leaf", "value": "1"}]},
    {"op": "tree", "parts": [{"op": "empty"}]},
    {"op": "other"},
    {},
    {"op": "tree"},
]
