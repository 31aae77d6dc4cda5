"""TypedDict inheritance mixing total and non-total parts, two bases."""
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Core(TypedDict):
    id: int


class Extras(TypedDict, total=False):
    note: str
    score: float


class Stamp(Extras):
    at: str


class Record(Core, Stamp, total=False):
    deleted: bool


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Record) -> None: ...


GOOD = [
    {"id": 1, "at": "now"},
    {"id": 1, "at": "now", "note": "n", "score": 3, "deleted": False},
    {"id": 1, "at": "", "other": None},
]
BAD = [
    {"id": 1},
    {"at": "now"},
    {"id": 1, "at": "now", "note": 5},
    {"id": 1, "at": "now", "score": "3"},
    {"id": 1, "at": "now", "deleted": 0},
    {"id": 1, "at": "now", "deleted": None},
]
