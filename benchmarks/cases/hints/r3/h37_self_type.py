"""typing.Self in a dataclass: the class, and in a subclass the subclass."""
from dataclasses import dataclass, field
from typing import Optional, Self

from graphbus_core import GraphBusNode, subscribe


@dataclass(kw_only=True)
class Linked:
    value: int
    next: Optional[Self] = None


@dataclass(kw_only=True)
class Chain(Linked):
    colour: str
    side: list[Self] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Chain) -> None: ...


GOOD = [
    {"value": 1, "colour": "c"},
    {"value": 1, "colour": "c", "next": {"value": 2, "colour": "d", "next": None}},
    {"value": 1, "colour": "c", "side": [{"value": 2, "colour": "d"}], "next": None},
]
BAD = [
    {"value": 1},
    {"value": 1, "colour": "c", "next": {"value": "2", "colour": "d"}},
    {"value": 1, "colour": "c", "next": 5},
    {"value": 1, "colour": "c", "side": [{"colour": "d"}]},
    {"value": 1, "colour": "c", "side": [{"value": 2, "colour": None}]},
]
