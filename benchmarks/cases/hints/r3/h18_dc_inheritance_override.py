"""Dataclass inheritance: a field narrowed, a default given later, a generic base made concrete."""
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from graphbus_core import GraphBusNode, subscribe

B = TypeVar("B")


@dataclass(kw_only=True)
class Envelope(Generic[B]):
    kind: str
    body: B
    version: int
    trail: list[B] | None = None


@dataclass(kw_only=True)
class Base(Envelope[dict[str, int]]):
    version: int = 1


@dataclass(kw_only=True)
class Paid(Base):
    kind: Literal["paid"]
    amount: float


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Paid) -> None: ...


GOOD = [
    {"kind": "paid", "body": {}, "amount": 1},
    {"kind": "paid", "body": {"a": 1}, "amount": 1.5, "version": 2},
    {"kind": "paid", "body": {}, "amount": 0, "trail": [{}, {"z": 26}]},
    {"kind": "paid", "body": {}, "amount": 0, "trail": None},
]
BAD = [
    {"kind": "due", "body": {}, "amount": 1},
    {"kind": "paid", "body": {"a": "1"}, "amount": 1},
    {"kind": "paid", "body": [], "amount": 1},
    {"kind": "paid", "body": {}},
    {"kind": "paid", "body": {}, "amount": 1, "version": None},
    {"kind": "paid", "body": {}, "amount": 1, "trail": [{"z": None}]},
]
