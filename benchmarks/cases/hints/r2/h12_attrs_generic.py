"""A generic attrs class with a parameter, under postponed annotations, in a union with None."""
from __future__ import annotations

from typing import Generic, TypeVar
from uuid import UUID

from attrs import define, field

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


@define
class Command(Generic[T]):
    id: UUID
    args: T
    tries: int = field(default=0, kw_only=True)


@define
class Resize:
    width: int
    height: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Command[Resize | None]) -> None:
        self.got = payload


GOOD = [
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11", "args": None},
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11", "args": {"width": 1, "height": 2}, "tries": 4},
]
BAD = [
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11"},
    {"id": "six", "args": None},
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11", "args": {"width": 1}},
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11", "args": [1, 2]},
    {"id": "6f1c2b1e-3f39-4e7c-9b7e-0b8c8f6f3a11", "args": None, "tries": None},
]
