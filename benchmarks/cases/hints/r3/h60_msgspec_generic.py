"""Generic, inheriting, recursive structs with dates and a plain dataclass inside."""
from __future__ import annotations

import datetime
import uuid
from dataclasses import dataclass
from typing import ClassVar, Generic, Optional, TypeVar

import msgspec

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


@dataclass
class Author:
    name: str
    born: Optional[datetime.date] = None


class Entity(msgspec.Struct, kw_only=True):
    table: ClassVar[str] = "t"
    uid: uuid.UUID
    version: int = 1


class Post(Entity, Generic[T]):
    body: T
    author: Author
    at: datetime.datetime
    replies: list[Post[T]] = msgspec.field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Post[list[str]]) -> None: ...


GOOD = [
    {"uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n"}, "at": "2024-01-01T00:00:00Z"},
    {"uid": "12345678-1234-5678-1234-567812345678", "body": ["b"], "author": {"name": "n", "born": "1990-05-05"}, "at": "2024-01-01T00:00:00Z", "version": 2},
    {
        "uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n", "born": None}, "at": "2024-01-01T00:00:00+01:00",
        "replies": [{"uid": "12345678-1234-5678-1234-567812345678", "body": ["r"], "author": {"name": "m"}, "at": "2024-01-01T00:00:00Z"}],
    },
]
BAD = [
    {"body": [], "author": {"name": "n"}, "at": "2024-01-01T00:00:00Z"},
    {"uid": "12345678-1234-5678-1234-567812345678", "body": "b", "author": {"name": "n"}, "at": "2024-01-01T00:00:00Z"},
    {"uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n", "born": "spring"}, "at": "2024-01-01T00:00:00Z"},
    {"uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n"}, "at": "noon"},
    {"uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n"}, "at": "2024-01-01T00:00:00Z", "version": "2"},
    {
        "uid": "12345678-1234-5678-1234-567812345678", "body": [], "author": {"name": "n"}, "at": "2024-01-01T00:00:00Z",
        "replies": [{"uid": "12345678-1234-5678-1234-567812345678", "body": [1], "author": {"name": "m"}, "at": "2024-01-01T00:00:00Z"}],
    },
]
