from pydantic import BaseModel, ConfigDict

from graphbus_core import GraphBusNode, subscribe


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(Closed):
    cpu: float
    memory_mb: int | None = None


class Service(Closed):
    image: str
    env: dict[str, str] = {}
    limits: Limits | None = None


class Deployment(Closed):
    name: str
    services: dict[str, Service]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Deployment) -> None: ...


GOOD = [
    {"name": "prod", "services": {}},
    {"name": "prod", "services": {"api": {"image": "api:1", "env": {"A": "1"}, "limits": {"cpu": 2}}}},
    {"name": "prod", "services": {"api": {"image": "api:1", "limits": None},
                                  "db": {"image": "db:1", "limits": {"cpu": 0.5, "memory_mb": 512}}}},
]
BAD = [
    {"name": "prod", "services": {}, "region": "eu"},
    {"name": "prod", "services": {"api": {"image": "api:1", "ports": [80]}}},
    {"name": "prod", "services": {"api": {"image": "api:1", "limits": {"cpu": 1.0, "gpu": 1}}}},
    {"name": "prod", "services": {"api": {"env": {}}}},
    {"name": "prod", "services": {"api": {"image": "api:1", "env": {"A": None}}}},
]
