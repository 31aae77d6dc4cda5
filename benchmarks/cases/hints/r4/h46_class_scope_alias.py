from dataclasses import dataclass
from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    Priority = Literal["low", "high"]

    class Step(TypedDict):
        run: str
        timeout_s: int | None

    @dataclass
    class Job:
        @dataclass
        class Owner:
            team: str
            user: int | None = None

        name: str
        owner: Owner
        env: dict[str, str] | None = None

    class JobQueued(TypedDict):
        job: "Node.Job"
        steps: list["Node.Step"]
        priority: "Node.Priority"

    @subscribe("/Case/In")
    def on_event(self, payload: JobQueued) -> None: ...


GOOD = [
    {"job": {"name": "n", "owner": {"team": "t"}}, "steps": [], "priority": "low"},
    {"job": {"name": "n", "owner": {"team": "t", "user": 4}, "env": {"A": "b"}},
     "steps": [{"run": "make", "timeout_s": None}, {"run": "test", "timeout_s": 60}], "priority": "high"},
    {"job": {"name": "n", "owner": {"team": "t", "user": None}, "env": None}, "steps": [], "priority": "low"},
]
BAD = [
    {"job": {"name": "n", "owner": "t"}, "steps": [], "priority": "low"},
    {"job": {"name": "n", "owner": {"user": 4}}, "steps": [], "priority": "low"},
    {"job": {"name": "n", "owner": {"team": "t"}}, "steps": [{"run": "make"}], "priority": "low"},
    {"job": {"name": "n", "owner": {"team": "t"}}, "steps": [], "priority": "medium"},
    {"job": {"name": "n", "owner": {"team": "t"}, "env": {"A": 1}}, "steps": [], "priority": "low"},
]
