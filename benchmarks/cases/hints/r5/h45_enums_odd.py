from dataclasses import dataclass
from enum import Enum, auto, unique
from typing import Optional, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Mixed(Enum):
    ONE = 1
    TWO = "two"
    UNO = 1
    TEN = -10


@unique
class Auto(Enum):
    A = auto()
    B = auto()

    @property
    def label(self) -> str:
        return self.name.lower()


class Name(str, Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    RED = auto()
    BLUE = auto()


class Row(TypedDict):
    mixed: Mixed
    name: Optional[Name]


@dataclass
class Sheet:
    auto: Auto
    rows: list[Row]
    default: Mixed = Mixed.TWO


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Sheet) -> None: ...


GOOD = [
    {"auto": 1, "rows": []},
    {"auto": 2, "rows": [{"mixed": 1, "name": "red"}, {"mixed": "two", "name": None}], "default": -10},
    {"auto": 1, "rows": [{"mixed": -10, "name": "blue"}], "default": "two"},
]
BAD = [
    {"auto": 3, "rows": []},
    {"auto": "A", "rows": []},
    {"auto": 1, "rows": [{"mixed": 2, "name": "red"}]},
    {"auto": 1, "rows": [{"mixed": 1, "name": "RED"}]},
    {"auto": 1, "rows": [], "default": "UNO"},
    {"auto": 1, "rows": [], "default": None},
]
