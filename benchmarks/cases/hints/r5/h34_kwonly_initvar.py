from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar
from graphbus_core import GraphBusNode, subscribe


@dataclass(slots=True)
class Inner:
    x: int = 0
    _: KW_ONLY
    y: str


@dataclass
class Outer:
    KIND: ClassVar[str] = "outer"
    opt: str = "o"
    inner: Inner = field(kw_only=True)
    seed: InitVar[int] = 3
    total: int = field(init=False, default=0)
    hidden: list[int] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self, seed: int) -> None:
        self.total = seed


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Outer) -> None: ...


GOOD = [
    {"inner": {"y": "y"}},
    {"opt": "p", "inner": {"x": 1, "y": "y"}, "seed": 4, "hidden": [1]},
    {"inner": {"y": ""}, "hidden": [], "other": None},
]
BAD = [
    {},
    {"inner": {"x": 1}},
    {"inner": {"y": "y"}, "seed": "four"},
    {"inner": {"y": "y"}, "hidden": None},
    {"inner": {"y": "y"}, "opt": None},
    {"inner": ["y"]},
]
