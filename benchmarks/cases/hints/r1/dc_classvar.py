"""ClassVar is no field; a KW_ONLY marker is none either."""

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Transfer:
    currency_digits: ClassVar[int] = 2
    seen: ClassVar[dict[str, int]]
    cents: int
    _: KW_ONLY
    memo: str | None = None
    urgent: bool


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Transfer) -> None:
        self.transfer = payload


GOOD = [
    {"cents": 100, "urgent": False},
    {"cents": -1, "memo": None, "urgent": True},
    {"cents": 0, "memo": "rent", "urgent": False},
]
BAD = [
    {"cents": 100},
    {"urgent": False, "memo": "rent"},
    {"cents": 100, "urgent": None},
    {"cents": 100, "urgent": False, "memo": 5},
    {"cents": 0.5, "urgent": False},
]
