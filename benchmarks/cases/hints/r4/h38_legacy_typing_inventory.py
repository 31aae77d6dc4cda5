import typing as t
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Bin:
    code: t.Text
    counts: t.Dict[str, int]
    tags: t.FrozenSet[str]
    size: t.Optional[t.Tuple[float, float, float]] = None


@dataclass
class Inventory:
    site: str
    bins: t.Sequence[Bin]
    aliases: t.MutableMapping[str, t.List[str]]
    blocked: t.AbstractSet[str] = frozenset()
    meta: t.Optional[t.Dict] = None
    marks: t.List = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Inventory) -> None: ...


GOOD = [
    {"site": "A", "bins": [], "aliases": {}},
    {"site": "A", "bins": [{"code": "b", "counts": {"x": 1}, "tags": ["cold"], "size": [1, 2.5, 3]}],
     "aliases": {"x": ["y", "z"], "q": []}, "blocked": ["x"], "meta": {"any": [1, None]}, "marks": [1, "a", None]},
    {"site": "A", "bins": [{"code": "b", "counts": {}, "tags": [], "size": None}], "aliases": {}, "meta": None},
]
BAD = [
    {"site": "A", "bins": [{"code": "b", "counts": {"x": 1}, "tags": [], "size": [1, 2]}], "aliases": {}},
    {"site": "A", "bins": [{"code": "b", "counts": {"x": "1"}, "tags": []}], "aliases": {}},
    {"site": "A", "bins": {"code": "b", "counts": {}, "tags": []}, "aliases": {}},
    {"site": "A", "bins": [], "aliases": {"x": {"y": "z"}}},
    {"site": "A", "bins": [], "aliases": {}, "blocked": [1]},
    {"site": "A", "bins": [], "aliases": {}, "meta": [1]},
]
