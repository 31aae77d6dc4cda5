"""A model that forbids what it does not know, and a child that inherits it."""

from pydantic import BaseModel, ConfigDict

from graphbus_core import GraphBusNode, subscribe


class Exact(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Limits(Exact):
    cpu: int
    memory: int | None = None


class Quota(Exact):
    team: str
    limits: Limits


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Quota) -> None:
        self.quota = payload


GOOD = [
    {"team": "a", "limits": {"cpu": 2}},
    {"team": "", "limits": {"cpu": 0, "memory": None}},
    {"team": "a", "limits": {"cpu": 2, "memory": 4}},
]
BAD = [
    {"team": "a", "limits": {"cpu": 2}, "owner": "ann"},
    {"team": "a", "limits": {"cpu": 2, "disk": 9}},
    {"team": "a", "limits": {"memory": 4}},
    {"team": "a", "limits": None},
    {"team": "a", "limits": {"cpu": "many"}},
]
