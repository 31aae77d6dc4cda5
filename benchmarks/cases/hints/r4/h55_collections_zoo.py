import collections
import typing
from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Iterable, MutableSequence, Set
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Region(Enum):
    EU = "eu"
    US = "us"


@dataclass
class Usage:
    words: collections.Counter[str]
    per_region: defaultdict[Region, list[int]]
    per_day: OrderedDict[date, Decimal]
    recent: deque[float]


@dataclass
class UsageReport:
    usage: Usage
    ids: Iterable[int]
    names: Collection[str]
    extra: MutableSequence[dict[str, int]]
    seen: Set[Region]
    old: typing.Deque[str] = field(default_factory=deque)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: UsageReport) -> None: ...


GOOD = [
    {"usage": {"words": {}, "per_region": {}, "per_day": {}, "recent": []}, "ids": [], "names": [], "extra": [],
     "seen": []},
    {"usage": {"words": {"a": 2}, "per_region": {"eu": [1, 2]}, "per_day": {"2024-01-01": "1.50"}, "recent": [1, 2.5]},
     "ids": [1], "names": ["n"], "extra": [{"x": 1}], "seen": ["us"], "old": ["z"]},
    {"usage": {"words": {"a": 2, "b": 0}, "per_region": {"eu": [], "us": [3]}, "per_day": {}, "recent": [0.5]},
     "ids": [1, 2, 3], "names": [], "extra": [{}], "seen": ["eu", "us"], "old": []},
]
BAD = [
    {"usage": {"words": {"a": "2"}, "per_region": {}, "per_day": {}, "recent": []}, "ids": [], "names": [],
     "extra": [], "seen": []},
    {"usage": {"words": {}, "per_region": {"asia": [1]}, "per_day": {}, "recent": []}, "ids": [], "names": [],
     "extra": [], "seen": []},
    {"usage": {"words": {}, "per_region": {}, "per_day": {"monday": "1.50"}, "recent": []}, "ids": [], "names": [],
     "extra": [], "seen": []},
    {"usage": {"words": {}, "per_region": {}, "per_day": {}, "recent": ["1"]}, "ids": [], "names": [],
     "extra": [], "seen": []},
    {"usage": {"words": {}, "per_region": {}, "per_day": {}, "recent": []}, "ids": ["1"], "names": [],
     "extra": [], "seen": []},
    {"usage": {"words": {}, "per_region": {}, "per_day": {}, "recent": []}, "ids": [], "names": [],
     "extra": [], "seen": ["mars"]},
]
