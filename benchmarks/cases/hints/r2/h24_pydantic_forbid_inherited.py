"""extra="forbid" set by class keyword on a base model and inherited, with one child that lets extras in."""
from pydantic import BaseModel

from graphbus_core import GraphBusNode, subscribe


class Strict(BaseModel, extra="forbid", frozen=True):
    pass


class Limits(Strict):
    cpu: int
    mem_mb: int = 512


class Labels(Strict, extra="allow"):
    app: str


class Pod(Strict):
    name: str
    limits: Limits | None = None
    labels: Labels


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Pod) -> None:
        self.got = payload


GOOD = [
    {"name": "p", "labels": {"app": "web"}},
    {"name": "p", "labels": {"app": "web", "tier": "front"}, "limits": {"cpu": 2}},
    {"name": "p", "labels": {"app": "web"}, "limits": None},
]
BAD = [
    {"name": "p", "labels": {"app": "web"}, "replicas": 2},
    {"name": "p", "labels": {"app": "web"}, "limits": {"cpu": 2, "gpu": 1}},
    {"name": "p", "labels": {"tier": "front"}},
    {"name": "p", "labels": {"app": "web"}, "limits": {}},
]
