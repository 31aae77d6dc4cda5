"""A pydantic dataclass, strict and closed: dates, enums, tuples and sets still come as JSON."""
from datetime import date
from enum import Enum
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Size(Enum):
    S = "small"
    L = "large"


@dataclass(config=ConfigDict(strict=True, extra="forbid"))
class Shipment:
    id: UUID
    day: date
    size: Size
    dims: tuple[int, int]
    labels: set[str] = Field(default_factory=set)
    weight: float = Field(default=1.0, gt=0)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Shipment) -> None: ...


GOOD = [
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "small", "dims": [1, 2]},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "large", "dims": [1, 2], "labels": ["a"]},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-12-31", "size": "large", "dims": [0, 0], "labels": [], "weight": 2},
]
BAD = [
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "small", "dims": ["1", 2]},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "S", "dims": [1, 2]},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "small", "dims": [1, 2], "extra": 1},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "small", "dims": [1, 2], "weight": 0},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-32", "size": "small", "dims": [1, 2]},
    {"id": "12345678-1234-5678-1234-567812345678", "day": "2024-01-01", "size": "small", "dims": [1, 2, 3]},
]
