"""collections.abc forms: Mapping, Sequence, Set imported as AbstractSet, Collection, MutableMapping."""
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Graph(TypedDict):
    edges: Mapping[str, Sequence[int]]
    roots: AbstractSet[int]
    weights: MutableMapping[str, float]
    batches: Collection[Mapping[str, int]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Graph) -> None:
        self.got = payload


GOOD = [
    {"edges": {}, "roots": [], "weights": {}, "batches": []},
    {"edges": {"a": [1, 2]}, "roots": [1, 2], "weights": {"a": 2, "b": 0.5}, "batches": [{"n": 1}, {}]},
]
BAD = [
    {"edges": [["a", 1]], "roots": [], "weights": {}, "batches": []},
    {"edges": {"a": 1}, "roots": [], "weights": {}, "batches": []},
    {"edges": {}, "roots": ["a"], "weights": {}, "batches": []},
    {"edges": {}, "roots": [], "weights": {"a": None}, "batches": []},
    {"edges": {}, "roots": [], "weights": {}, "batches": [{"n": "one"}]},
]
