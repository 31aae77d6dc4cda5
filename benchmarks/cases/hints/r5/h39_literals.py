from dataclasses import dataclass
from enum import Enum
from typing import Literal, Union
from graphbus_core import GraphBusNode, subscribe


class Mode(Enum):
    R = "r"
    W = "w"
    X = "x"


Low = Literal[1, 2]
Any3 = Literal[Low, Literal["three"], None]


@dataclass
class Pick:
    n: Any3
    mode: Literal[Mode.R, Mode.W]
    on: Literal[True]
    neg: Literal[-1]
    odd: Literal["a b", "", "é"]
    mix: Union[Literal["auto"], int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Pick) -> None: ...


GOOD = [
    {"n": 1, "mode": "r", "on": True, "neg": -1, "odd": "", "mix": "auto"},
    {"n": None, "mode": "w", "on": True, "neg": -1, "odd": "é", "mix": 7},
    {"n": "three", "mode": "w", "on": True, "neg": -1, "odd": "a b", "mix": 0},
]
BAD = [
    {"n": 3, "mode": "r", "on": True, "neg": -1, "odd": "", "mix": "auto"},
    {"n": "1", "mode": "r", "on": True, "neg": -1, "odd": "", "mix": "auto"},
    {"n": 1, "mode": "x", "on": True, "neg": -1, "odd": "", "mix": "auto"},
    {"n": 1, "mode": "r", "on": False, "neg": -1, "odd": "", "mix": "auto"},
    {"n": 1, "mode": "r", "on": True, "neg": 1, "odd": "", "mix": "auto"},
    {"n": 1, "mode": "r", "on": True, "neg": -1, "odd": "", "mix": "manual"},
]
