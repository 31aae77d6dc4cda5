"""typing's old names for concrete collections: DefaultDict, OrderedDict, Counter, Deque, FrozenSet."""
from typing import Counter, DefaultDict, Deque, FrozenSet, List, OrderedDict, Set, Tuple

from pydantic import BaseModel

from graphbus_core import GraphBusNode, subscribe


class Stats(BaseModel):
    groups: DefaultDict[str, List[int]]
    words: Counter[str]
    recent: Deque[Tuple[str, int]]
    seen: FrozenSet[str] = frozenset()
    flags: Set[Tuple[int, int]] = set()
    steps: OrderedDict[str, float] = OrderedDict()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Stats) -> None:
        self.got = payload


GOOD = [
    {"groups": {}, "words": {}, "recent": []},
    {"groups": {"a": [1]}, "words": {"the": 3}, "recent": [["x", 1]], "seen": ["q"], "flags": [[1, 2]], "steps": {"s": 1}},
]
BAD = [
    {"groups": {"a": 1}, "words": {}, "recent": []},
    {"groups": {}, "words": {"the": "often"}, "recent": []},
    {"groups": {}, "words": {}, "recent": [["x"]]},
    {"groups": {}, "words": {}, "recent": [], "flags": [[1, 2, 3]]},
    {"groups": {}, "words": {}, "recent": [], "steps": [["s", 1]]},
    {"groups": {}, "words": {}, "recent": [], "seen": {"q": 1}},
]
