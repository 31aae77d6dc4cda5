from dataclasses import dataclass, field
from typing import Any, Literal
from graphbus_core import GraphBusNode, subscribe

Status = Literal["queued", "running", "done", "failed"]


@dataclass
class Retry:
    limit: int = 3
    backoff: float = 1.5


@dataclass
class Step:
    name: str
    status: Status
    needs: list[str] = field(default_factory=list)


@dataclass
class Job:
    id: int
    status: Status
    steps: list[Step]
    retry: Retry = field(default_factory=Retry)
    params: dict[str, Any] = field(default_factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Job) -> None: ...


GOOD = [
    {"id": 1, "status": "queued", "steps": []},
    {"id": 1, "status": "running", "steps": [{"name": "a", "status": "done"}, {"name": "b", "status": "queued", "needs": ["a"]}], "retry": {}},
    {"id": 1, "status": "failed", "steps": [], "retry": {"limit": 0, "backoff": 2}, "params": {"x": None, "y": [1, {"z": 2}]}},
]
BAD = [
    {"id": 1, "status": "paused", "steps": []},
    {"id": 1, "status": "queued", "steps": [{"name": "a", "status": None}]},
    {"id": 1, "status": "queued", "steps": [], "retry": {"limit": 1.5}},
    {"id": 1, "status": "queued", "steps": [], "params": []},
    {"id": 1, "status": "queued", "steps": {"name": "a", "status": "done"}},
    {"id": True, "status": "queued", "steps": []},
]
