from dataclasses import dataclass
from typing import Generic, TypeVar, Union
from graphbus_core import GraphBusNode, subscribe

B = TypeVar("B", bound="Shape")
C = TypeVar("C", int, str)
U = TypeVar("U")


@dataclass
class Shape:
    sides: int


@dataclass
class Square(Shape):
    edge: float


@dataclass
class Bound(Generic[B]):
    shape: B


@dataclass
class Key(Generic[C]):
    key: C


@dataclass
class Loose(Generic[U]):
    any: U


@dataclass
class All:
    bare: Bound
    exact: Bound[Square]
    key: Key
    skey: Key[str]
    loose: Loose
    opt: Loose[Union[int, None]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: All) -> None: ...


GOOD = [
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": 1}, "skey": {"key": "k"}, "loose": {"any": []}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3, "x": 1}}, "exact": {"shape": {"sides": 4, "edge": 1.5}}, "key": {"key": "a"}, "skey": {"key": ""}, "loose": {"any": None}, "opt": {"any": 3}},
    {"bare": {"shape": {"sides": 0}}, "exact": {"shape": {"sides": 4, "edge": 0}}, "key": {"key": 0}, "skey": {"key": "k"}, "loose": {"any": {"x": 1}}, "opt": {"any": 0}},
]
BAD = [
    {"bare": {"shape": 3}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": 1}, "skey": {"key": "k"}, "loose": {"any": 1}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4}}, "key": {"key": 1}, "skey": {"key": "k"}, "loose": {"any": 1}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": None}, "skey": {"key": "k"}, "loose": {"any": 1}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": 1}, "skey": {"key": 1}, "loose": {"any": 1}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": 1}, "skey": {"key": "k"}, "loose": {}, "opt": {"any": None}},
    {"bare": {"shape": {"sides": 3}}, "exact": {"shape": {"sides": 4, "edge": 1}}, "key": {"key": 1}, "skey": {"key": "k"}, "loose": {"any": 1}, "opt": {"any": "x"}},
]
