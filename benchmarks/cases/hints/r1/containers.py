"""Sets, deques, counters and the abstract containers, with None among the items."""

from collections import Counter, OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Stats:
    words: Counter[str]
    latest: deque[float]
    gaps: Sequence[int | None]
    seen: frozenset[int] = frozenset()
    index: Mapping[str, set[str]] = field(default_factory=OrderedDict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Stats) -> None:
        self.stats = payload


GOOD = [
    {"words": {}, "latest": [], "gaps": []},
    {"words": {"a": 2}, "latest": [1, 0.5], "gaps": [None, 3], "seen": [1, 2]},
    {"words": {"": 0}, "latest": [0], "gaps": [None], "seen": [], "index": {"a": [], "b": ["x", "y"]}},
]
BAD = [
    {"words": ["a"], "latest": [], "gaps": []},
    {"words": {"a": "two"}, "latest": [], "gaps": []},
    {"words": {}, "latest": [None], "gaps": []},
    {"words": {}, "latest": [], "gaps": [], "seen": ["a"]},
    {"words": {}, "latest": [], "gaps": [], "index": {"a": "x"}},
]
