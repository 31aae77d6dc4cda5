"""A generic pydantic model whose TypeVar has a default (PEP 696): bare use takes the default."""
from typing import Generic

from pydantic import BaseModel
from typing_extensions import TypeVar

from graphbus_core import GraphBusNode, subscribe


class Meta(BaseModel):
    request_id: str


MetaT = TypeVar("MetaT", bound=BaseModel, default=Meta)
BodyT = TypeVar("BodyT", default=dict[str, int])


class Envelope(BaseModel, Generic[MetaT, BodyT]):
    meta: MetaT
    body: BodyT


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Envelope) -> None:
        self.got = payload


GOOD = [
    {"meta": {"request_id": "r"}, "body": {}},
    {"meta": {"request_id": "r"}, "body": {"a": 1}},
]
BAD = [
    {"meta": {}, "body": {}},
    {"meta": {"request_id": "r"}, "body": {"a": "x"}},
    {"meta": {"request_id": "r"}, "body": [1]},
    {"meta": {"request_id": "r"}},
]
