from __future__ import annotations
from typing import ClassVar
import attr
from attrs import Factory, define, field, frozen, validators
from graphbus_core import GraphBusNode, subscribe


@frozen(kw_only=True)
class Range_:
    lo: int = 0
    hi: int


@define
class Base:
    MAXIMUM: ClassVar[int] = 3
    secret: str
    level: str = field(default="a", validator=validators.in_(["a", "b"]))
    computed: int = field(init=False, default=0)


@define
class Job(Base):
    ranges: list[Range_] = Factory(list)
    sub: Job | None = field(default=None, kw_only=True)
    old: Old | None = None


@attr.s(auto_attribs=True)
class Old:
    x: int
    y: str = attr.ib(default="y", validator=attr.validators.matches_re("[a-z]+"))


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Job) -> None: ...


GOOD = [
    {"secret": "s"},
    {"secret": "s", "level": "b", "ranges": [{"hi": 3}, {"lo": 1, "hi": 2}], "old": {"x": 1}},
    {"secret": "s", "sub": {"secret": "t", "sub": None}, "old": {"x": 1, "y": "abc"}},
]
BAD = [
    {"level": "a"},
    {"secret": 1},
    {"secret": "s", "level": "c"},
    {"secret": "s", "ranges": [{"lo": 1}]},
    {"secret": "s", "sub": {"level": "a"}},
    {"secret": "s", "old": {"x": "1"}},
]
