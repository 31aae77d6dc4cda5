from dataclasses import dataclass
from datetime import date
from typing import Dict, Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Employee:
    name: str
    hired: "date"
    boss: "Employee | None"
    team: "Optional[Team]" = None


@dataclass
class Team:
    title: str
    members: "Dict[str, 'Employee']"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Employee) -> None: ...


GOOD = [
    {"name": "n", "hired": "2020-01-01", "boss": None},
    {"name": "n", "hired": "2020-01-01", "boss": {"name": "b", "hired": "2019-01-01", "boss": None}},
    {"name": "n", "hired": "2020-01-01", "boss": None, "team": {"title": "t", "members": {"m": {"name": "m", "hired": "2020-01-01", "boss": None}}}},
]
BAD = [
    {"name": "n", "hired": "2020-01-01"},
    {"name": "n", "hired": "2020-01-01", "boss": {"name": "b", "hired": "2019-01-01"}},
    {"name": "n", "hired": "long ago", "boss": None},
    {"name": "n", "hired": "2020-01-01", "boss": None, "team": {"title": "t", "members": {"m": "m"}}},
    {"name": "n", "hired": "2020-01-01", "boss": None, "team": {"title": "t"}},
]
