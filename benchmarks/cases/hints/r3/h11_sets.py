"""Sets come as JSON arrays."""
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import FrozenSet, Literal, MutableSet, Set

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Groups:
    ids: set[int]
    flags: FrozenSet[Literal["r", "w"]]
    names: AbstractSet[str]
    pairs: Set[tuple[int, str]] | None = None
    more: MutableSet[float] | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Groups) -> None: ...


GOOD = [
    {"ids": [], "flags": [], "names": []},
    {"ids": [1, 2], "flags": ["r", "w"], "names": ["n"], "pairs": [[1, "a"], [2, "b"]]},
    {"ids": [3], "flags": ["w"], "names": [], "pairs": None, "more": [1, 2.5]},
]
BAD = [
    {"ids": ["1"], "flags": [], "names": []},
    {"ids": [], "flags": ["x"], "names": []},
    {"ids": [], "flags": [], "names": [None]},
    {"ids": [], "flags": [], "names": [], "pairs": [[1, 2]]},
    {"ids": 1, "flags": [], "names": []},
    {"ids": [], "flags": [], "names": [], "more": ["a"]},
]
