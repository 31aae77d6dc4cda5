"""Flag members by number, and an Enum whose values are of mixed types."""
import enum
from typing import Optional

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Perm(enum.Flag):
    READ = 1
    WRITE = 2
    EXEC = 4


@enum.unique
class Level(enum.Enum):
    OFF = 0
    MAX = "max"


class Grant(TypedDict):
    perm: Perm
    level: Optional[Level]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Grant) -> None:
        self.got = payload


GOOD = [
    {"perm": 1, "level": 0},
    {"perm": 4, "level": "max"},
    {"perm": 2, "level": None},
]
BAD = [
    {"perm": "READ", "level": 0},
    {"perm": 64, "level": 0},
    {"perm": 1, "level": "min"},
    {"perm": 1, "level": 5},
    {"perm": [1, 2], "level": 0},
]
