"""Sequence-like and mapping-like generics, old and new spelling."""
import collections
import collections.abc as abc
import typing
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Stock:
    seq: abc.Sequence[int]
    mseq: typing.MutableSequence[str]
    queue: collections.deque[float]
    odict: collections.OrderedDict[str, int]
    ddict: typing.DefaultDict[str, list[int]]
    mmap: abc.MutableMapping[str, bool]
    coll: abc.Collection[bool]
    count: typing.Counter[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Stock) -> None: ...


GOOD = [
    {"seq": [], "mseq": [], "queue": [], "odict": {}, "ddict": {}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [1], "mseq": ["a"], "queue": [1, 0.5], "odict": {"b": 1, "a": 2}, "ddict": {"k": [1]}, "mmap": {"t": True}, "coll": [True], "count": {"w": 3}},
    {"seq": [1, 2], "mseq": [""], "queue": [-1], "odict": {"": 0}, "ddict": {"k": []}, "mmap": {"f": False}, "coll": [False, True], "count": {"w": 0}},
]
BAD = [
    {"seq": ["1"], "mseq": [], "queue": [], "odict": {}, "ddict": {}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [], "mseq": [1], "queue": [], "odict": {}, "ddict": {}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [], "mseq": [], "queue": [None], "odict": {}, "ddict": {}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [], "mseq": [], "queue": [], "odict": [], "ddict": {}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [], "mseq": [], "queue": [], "odict": {}, "ddict": {"k": 1}, "mmap": {}, "coll": [], "count": {}},
    {"seq": [], "mseq": [], "queue": [], "odict": {}, "ddict": {}, "mmap": {}, "coll": [], "count": {"w": "3"}},
]
