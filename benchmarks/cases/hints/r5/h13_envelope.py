from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


@dataclass
class Meta:
    id: UUID
    source: str


@dataclass
class Envelope(Generic[T]):
    meta: Meta
    body: T
    batch: list[T]


@dataclass
class UserCreated:
    user_id: int
    name: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Envelope[UserCreated]) -> None: ...


GOOD = [
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "body": {"user_id": 1, "name": "n"}, "batch": []},
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "body": {"user_id": 1, "name": "n"}, "batch": [{"user_id": 2, "name": "m"}]},
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": ""}, "body": {"user_id": 1, "name": "n", "age": 4}, "batch": [], "seq": 9},
]
BAD = [
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "body": {"user_id": 1}, "batch": []},
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "body": {"user_id": 1, "name": "n"}, "batch": [{"user_id": "2", "name": "m"}]},
    {"meta": {"id": "1234", "source": "s"}, "body": {"user_id": 1, "name": "n"}, "batch": []},
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "body": "n", "batch": []},
    {"meta": {"id": "12345678-1234-5678-1234-567812345678", "source": "s"}, "batch": []},
]
