"""A dataclass with defaults: a field with a default may be left out, but not null."""

from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Job:
    name: str
    retries: int = 3
    timeout: float = 1.5
    args: list[str] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Job) -> None:
        self.job = payload


GOOD = [
    {"name": "build"},
    {"name": "build", "retries": 0},
    {"name": "build", "timeout": 2, "args": ["-v"]},
    {"name": "", "retries": 1, "timeout": 0.25, "args": []},
]
BAD = [
    {},
    {"retries": 3},
    {"name": "build", "retries": None},
    {"name": "build", "args": "-v"},
    {"name": "build", "timeout": "2s"},
]
