"""pydantic union told apart by a callable Discriminator and Tag marks."""
from typing import Annotated, Any, Union

from pydantic import BaseModel, Discriminator, Tag

from graphbus_core import GraphBusNode, subscribe


class V1(BaseModel):
    temp: float


class V2(BaseModel):
    schema_version: int
    readings: dict[str, float]


def pick(value: Any) -> str:
    if isinstance(value, dict):
        return "v2" if "schema_version" in value else "v1"
    return "v2" if hasattr(value, "schema_version") else "v1"


Telemetry = Annotated[
    Union[Annotated[V1, Tag("v1")], Annotated[V2, Tag("v2")]],
    Discriminator(pick),
]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Telemetry) -> None:
        self.got = payload


GOOD = [
    {"temp": 21.5},
    {"schema_version": 2, "readings": {"a": 1, "b": 2.5}},
    {"schema_version": 2, "readings": {}},
]
BAD = [
    {"schema_version": 2, "temp": 21.5},
    {"readings": {"a": 1}},
    {"temp": "warm"},
    {"schema_version": 2, "readings": {"a": "hot"}},
]
