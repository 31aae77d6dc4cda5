from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class State(str, Enum):
    OPEN = "open"
    WAITING = "waiting"
    CLOSED = "closed"


@dataclass
class Entity:
    id: int
    created_at: datetime


@dataclass
class Attachment:
    filename: str
    size: int


@dataclass
class Comment(Entity):
    author: str
    text: str
    attachments: list[Attachment] = field(default_factory=list)


@dataclass
class Ticket(Entity):
    state: State
    comments: list[Comment]
    rating: int | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Ticket) -> None: ...


GOOD = [
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "open", "comments": []},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "closed", "rating": 5, "comments": [
        {"id": 2, "created_at": "2024-05-01T10:05:00+00:00", "author": "Bo", "text": ""}]},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "waiting", "rating": None, "comments": [
        {"id": 2, "created_at": "2024-05-01T10:05:00+00:00", "author": "Bo", "text": "see file",
         "attachments": [{"filename": "a.png", "size": 10}]}]},
]
BAD = [
    {"id": 1, "state": "open", "comments": []},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "OPEN", "comments": []},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "open", "comments": [
        {"author": "Bo", "text": "hi"}]},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "open", "comments": [
        {"id": 2, "created_at": "2024-05-01T10:05:00+00:00", "author": "Bo", "text": "x",
         "attachments": [{"filename": "a.png", "size": "10 kB"}]}]},
    {"id": 1, "created_at": "2024-05-01T10:00:00+00:00", "state": "open", "comments": [], "rating": "5"},
    {"id": True, "created_at": "2024-05-01T10:00:00+00:00", "state": "open", "comments": []},
]
