import collections
import collections.abc as cabc
import typing as t
from dataclasses import dataclass, field
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Bag:
    od: t.OrderedDict[str, int]
    dd: collections.defaultdict[str, list[int]]
    dq: t.Deque[str]
    mm: cabc.MutableMapping[str, t.Optional[bool]]
    seq: cabc.Sequence[int]
    fs: t.FrozenSet[str] = frozenset()
    st: set[int] = field(default_factory=set)
    aset: t.AbstractSet[str] = frozenset()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: cabc.Mapping[str, Bag]) -> None: ...


GOOD = [
    {},
    {"b": {"od": {}, "dd": {}, "dq": [], "mm": {}, "seq": []}},
    {"b": {"od": {"a": 1}, "dd": {"a": [1]}, "dq": ["x"], "mm": {"m": None, "n": True}, "seq": [1], "fs": ["a", "b"], "st": [1, 2], "aset": []}},
]
BAD = [
    {"b": {"od": {"a": "1"}, "dd": {}, "dq": [], "mm": {}, "seq": []}},
    {"b": {"od": {}, "dd": {"a": 1}, "dq": [], "mm": {}, "seq": []}},
    {"b": {"od": {}, "dd": {}, "dq": [1], "mm": {}, "seq": []}},
    {"b": {"od": {}, "dd": {}, "dq": [], "mm": {"m": "x"}, "seq": []}},
    {"b": {"od": {}, "dd": {}, "dq": [], "mm": {}, "seq": 5}},
    {"b": {"od": {}, "dd": {}, "dq": [], "mm": {}, "seq": [], "st": ["a"]}},
]
