from typing import Any, Generic, TypeVar

import attrs
from attrs import validators as v
from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Labels(TypedDict, extra_items=str):
    env: str
    weight: NotRequired[int]


class Port(TypedDict, closed=True):
    number: int
    name: NotRequired[str]


@attrs.define(kw_only=True)
class Resource(Generic[T]):
    name: str = attrs.field(validator=v.matches_re(r"[a-z][a-z0-9-]*"))
    spec: T
    replicas: int = attrs.field(default=1, validator=[v.ge(0), v.lt(100)])
    labels: Labels | None = None


@attrs.frozen
class ServiceSpec:
    ports: list[Port]
    options: dict[str, Any] = attrs.field(factory=dict)


@attrs.define(kw_only=True)
class Service(Resource[ServiceSpec]):
    owner: int | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Service) -> None: ...


GOOD = [
    {"name": "api", "spec": {"ports": []}},
    {"name": "api-2", "spec": {"ports": [{"number": 80}, {"number": 443, "name": "tls"}], "options": {"a": [1]}},
     "replicas": 99, "labels": {"env": "prod", "team": "core", "weight": 3}},
    {"name": "api", "spec": {"ports": []}, "replicas": 0, "labels": None, "owner": 4, "kind": "Service"},
]
BAD = [
    {"name": "api", "spec": {"ports": [{"number": 80, "proto": "tcp"}]}},
    {"name": "api", "spec": {"ports": []}, "labels": {"env": "prod", "cost": 5}},
    {"name": "api", "spec": {"ports": ["80"]}},
    {"name": "api", "spec": {"ports": []}, "replicas": -1},
    {"name": "API", "spec": {"ports": []}},
    {"name": "api", "spec": {"ports": []}, "labels": {"team": "core"}},
]
