"""A generic model with a bound type variable, filled in where the handler stands."""

from typing import Generic, TypeVar

from pydantic import BaseModel

from graphbus_core import GraphBusNode, subscribe


class Body(BaseModel):
    id: int


class Comment(Body):
    text: str


B = TypeVar("B", bound=Body)


class Envelope(BaseModel, Generic[B]):
    payload: B
    replies: list[B] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Envelope[Comment]) -> None: ...


GOOD = [
    {"payload": {"id": 1, "text": "hi"}},
    {"payload": {"id": 1, "text": ""}, "replies": []},
    {"payload": {"id": 1, "text": "hi"}, "replies": [{"id": 2, "text": "yo"}]},
]
BAD = [
    {"payload": {"id": 1}},
    {"id": 1, "text": "hi"},
    {"payload": {"id": 1, "text": "hi"}, "replies": [{"id": 2}]},
]
