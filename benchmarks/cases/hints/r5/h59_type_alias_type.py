from dataclasses import dataclass, field
from typing import Generic
from typing_extensions import TypeAliasType, TypeVar
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
D = TypeVar("D", default=int)

Tree = TypeAliasType("Tree", "dict[str, Tree] | int")
Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
Ids = TypeAliasType("Ids", list[int])


@dataclass
class Box(Generic[D]):
    it: D


@dataclass
class Forest:
    tree: Tree
    pair: Pair[str]
    ids: Ids
    box: Box = field(default_factory=lambda: Box(0))
    sbox: Box[str] | None = None


Event = TypeAliasType("Event", Forest)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"tree": 1, "pair": ["a", "b"], "ids": []},
    {"tree": {"a": {"b": 1, "c": {}}}, "pair": ["a", "b"], "ids": [1], "box": {"it": 4}, "sbox": {"it": "x"}},
    {"tree": {}, "pair": ["", ""], "ids": [1, 2], "sbox": None},
]
BAD = [
    {"tree": {"a": {"b": "1"}}, "pair": ["a", "b"], "ids": []},
    {"tree": None, "pair": ["a", "b"], "ids": []},
    {"tree": 1, "pair": ["a", 1], "ids": []},
    {"tree": 1, "pair": ["a", "b"], "ids": ["1"]},
    {"tree": 1, "pair": ["a", "b"], "ids": [], "box": {"it": "x"}},
    {"tree": 1, "pair": ["a", "b"], "ids": [], "sbox": {"it": 1}},
]
