from __future__ import annotations

from datetime import datetime
from enum import Enum

import attr

from graphbus_core import GraphBusNode, subscribe


class Outcome(Enum):
    GREEN = 0
    RED = 1
    SKIPPED = -1


@attr.s(auto_attribs=True, frozen=True)
class Step:
    name: str
    outcome: Outcome
    children: list[Step] = attr.ib(factory=list)


@attr.s(auto_attribs=True, kw_only=True)
class Run:
    branch: str = "main"
    commit: str
    started: datetime
    steps: list[Step]
    labels: dict[str, str | None] = attr.Factory(dict)
    duration: float = attr.ib(init=False, default=0.0)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Run) -> None: ...


GOOD = [
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00", "steps": []},
    {"commit": "abc", "branch": "dev", "started": "2024-05-01T10:00:00+00:00",
     "steps": [{"name": "build", "outcome": 0, "children": [{"name": "lint", "outcome": -1}]}],
     "labels": {"ci": None, "os": "linux"}},
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00", "steps": [{"name": "t", "outcome": 1}], "labels": {}},
]
BAD = [
    {"branch": "main", "started": "2024-05-01T10:00:00+00:00", "steps": []},
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00", "steps": [{"name": "t", "outcome": "RED"}]},
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00", "steps": [{"name": "t", "outcome": 2}]},
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00",
     "steps": [{"name": "t", "outcome": 0, "children": [{"name": "u"}]}]},
    {"commit": "abc", "started": "2024-05-01T10:00:00+00:00", "steps": [], "labels": {"ci": 1}},
]
