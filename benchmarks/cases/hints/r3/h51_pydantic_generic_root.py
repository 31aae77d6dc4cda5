"""Generic models, RootModel as member and as payload, a recursive model."""
from __future__ import annotations

from typing import Generic, Optional, TypeVar

from pydantic import BaseModel, RootModel

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Ids(RootModel[list[int]]):
    pass


class Thread(BaseModel):
    text: str
    replies: list[Thread] = []


class Reply(BaseModel, Generic[T]):
    data: T
    ids: Ids
    error: Optional[str] = None


class Batch(RootModel[dict[str, Reply[Thread]]]):
    pass


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Batch) -> None: ...


GOOD = [
    {},
    {"a": {"data": {"text": "t"}, "ids": []}},
    {"a": {"data": {"text": "t", "replies": [{"text": "u", "replies": []}]}, "ids": [1, 2], "error": None}},
    {"a": {"data": {"text": "t"}, "ids": [], "error": "e", "more": 1}, "b": {"data": {"text": ""}, "ids": [0]}},
]
BAD = [
    {"a": {"data": {"text": "t"}}},
    {"a": {"data": {}, "ids": []}},
    {"a": {"data": {"text": "t", "replies": [{"text": "u", "replies": [{}]}]}, "ids": []}},
    {"a": {"data": {"text": "t"}, "ids": ["one"]}},
    {"a": {"data": {"text": "t"}, "ids": {"root": [1]}}},
    {"a": None},
]
