"""All annotations are texts; a class is used before it is written down."""

from __future__ import annotations

from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Invoice) -> None:
        self.invoice = payload


@dataclass
class Invoice:
    number: str
    lines: list[Line]
    discount: float | None = None


@dataclass
class Line:
    text: str
    amount: float


GOOD = [
    {"number": "R1", "lines": []},
    {"number": "R1", "lines": [{"text": "lamp", "amount": 3}], "discount": None},
    {"number": "R1", "lines": [{"text": "", "amount": 0.5}, {"text": "b", "amount": -1}], "discount": 0.1},
]
BAD = [
    {"number": "R1"},
    {"number": "R1", "lines": [{"text": "lamp"}]},
    {"number": "R1", "lines": [["lamp", 3]]},
    {"number": "R1", "lines": None},
    {"number": "R1", "lines": [], "discount": "10%"},
]
