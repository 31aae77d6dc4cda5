"""Enum flavours by value: StrEnum with auto, IntEnum, str mixin, mixed values, alias members."""
from enum import Enum, IntEnum, StrEnum, auto, unique
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Mode(StrEnum):
    FAST = auto()
    SLOW = auto()


class Prio(IntEnum):
    LOW = 1
    HIGH = 10
    URGENT = 10


class Unit(str, Enum):
    METRE = "m"
    INCH = "in"


@unique
class Mixed(Enum):
    ONE = 1
    TWO = "two"
    NIL = None


class Settings(TypedDict):
    mode: Mode
    prio: Prio
    unit: Unit
    mixed: Mixed


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Settings) -> None: ...


GOOD = [
    {"mode": "fast", "prio": 1, "unit": "m", "mixed": 1},
    {"mode": "slow", "prio": 10, "unit": "in", "mixed": "two"},
    {"mode": "slow", "prio": 10, "unit": "in", "mixed": None},
]
BAD = [
    {"mode": "FAST", "prio": 1, "unit": "m", "mixed": 1},
    {"mode": "fast", "prio": 2, "unit": "m", "mixed": 1},
    {"mode": "fast", "prio": "1", "unit": "m", "mixed": 1},
    {"mode": "fast", "prio": 1, "unit": "METRE", "mixed": 1},
    {"mode": "fast", "prio": 1, "unit": "m", "mixed": 2},
    {"mode": "fast", "prio": "LOW", "unit": "m", "mixed": "two"},
]
