"""attrs, old style: attr.ib(type=...), auto_attribs, these quoted names."""
from typing import List, Optional, Union

import attr

from graphbus_core import GraphBusNode, subscribe


@attr.s
class Old:
    a = attr.ib(type=int)
    b = attr.ib(type=Optional[str], default=None)
    c = attr.ib(type=List[float], factory=list)


@attr.s(auto_attribs=True, slots=True, frozen=True)
class Mid:
    old: Old
    kind: str = attr.ib(kw_only=True)
    next: "Optional[Mid]" = None
    either: Union[int, "Old", None] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Mid) -> None: ...


GOOD = [
    {"old": {"a": 1}, "kind": "k"},
    {"old": {"a": 1, "b": "b", "c": [1, 2.5]}, "kind": "k", "either": 3},
    {"old": {"a": 1, "b": None}, "kind": "k", "next": {"old": {"a": 2}, "kind": "l"}, "either": {"a": 4}},
]
BAD = [
    {"old": {"a": 1}},
    {"old": {"a": "1"}, "kind": "k"},
    {"old": {"b": "b"}, "kind": "k"},
    {"old": {"a": 1, "c": ["x"]}, "kind": "k"},
    {"old": {"a": 1}, "kind": "k", "next": {"old": {"a": 2}}},
    {"old": {"a": 1}, "kind": "k", "either": "3"},
]
