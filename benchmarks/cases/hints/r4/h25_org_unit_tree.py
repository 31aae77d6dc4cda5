from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Member:
    user_id: int
    reports_to: Optional[Member] = None


@dataclass
class OrgUnit:
    name: str
    head: Member | None
    units: list[OrgUnit] = field(default_factory=list)
    by_code: dict[str, OrgUnit] = field(default_factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: OrgUnit) -> None: ...


GOOD = [
    {"name": "root", "head": None},
    {"name": "root", "head": {"user_id": 1, "reports_to": {"user_id": 2, "reports_to": None}},
     "units": [{"name": "a", "head": None, "units": [{"name": "b", "head": {"user_id": 3}}]}]},
    {"name": "root", "head": None, "by_code": {"X": {"name": "x", "head": None, "by_code": {}}}},
]
BAD = [
    {"name": "root", "head": {"user_id": 1, "reports_to": {"user_id": "2"}}},
    {"name": "root", "head": None, "units": [{"name": "a", "head": None, "units": [{"name": "b"}]}]},
    {"name": "root", "head": None, "by_code": {"X": {"name": "x", "head": None, "by_code": []}}},
    {"name": "root", "head": None, "units": None},
    {"name": "root", "head": 1},
]
