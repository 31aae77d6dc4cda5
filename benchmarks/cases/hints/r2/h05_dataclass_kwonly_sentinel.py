"""Slotted frozen dataclass with the KW_ONLY sentinel, so a required field follows one with a default."""
from dataclasses import KW_ONLY, dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass(slots=True, frozen=True)
class Job:
    queue: str
    priority: int = 5
    _: KW_ONLY
    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    timeout: float | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Job) -> None:
        self.got = payload


GOOD = [
    {"queue": "gpu", "command": ["python", "-V"]},
    {"queue": "gpu", "priority": 1, "command": [], "env": {"A": "1"}, "timeout": 3},
    {"queue": "gpu", "command": ["x"], "timeout": None},
]
BAD = [
    {"queue": "gpu", "priority": 1},
    {"command": ["x"]},
    {"queue": "gpu", "command": "python -V"},
    {"queue": "gpu", "command": ["x"], "env": {"A": 1}},
    {"queue": "gpu", "command": ["x"], "env": None},
]
