from __future__ import annotations
from dataclasses import dataclass
from graphbus_core import GraphBusNode, subscribe
import h41_base_types as base


class Code:
    """Same name as a type of the base's module, another meaning."""


class Extra(base.Code):
    Day: int


@dataclass
class Doc(base.Stamped):
    extra: list[Extra] | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Doc) -> None: ...


GOOD = [
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02"},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02", "extra": [{"value": "v", "since": "2024-01-01", "Day": 3}]},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02", "prior": {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02"}, "extra": None},
]
BAD = [
    {"code": {"value": "v"}, "on": "2024-01-02"},
    {"code": {"value": "v", "since": "n/a"}, "on": "2024-01-02"},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": 20240102},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02", "extra": [{"value": "v", "since": "2024-01-01"}]},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02", "extra": [{"value": "v", "since": "x", "Day": 3}]},
    {"code": {"value": "v", "since": "2024-01-01"}, "on": "2024-01-02", "prior": {"on": "2024-01-02"}},
]
