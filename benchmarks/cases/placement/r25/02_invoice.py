# stateful
"""Keeps the running invoice number in the default factory of the number field."""
from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Iterable


@dataclass(frozen=True)
class Line:
    text: str
    cents: int


@dataclass
class Invoice:
    customer: str
    lines: list[Line] = field(default_factory=list)
    number: int = field(default_factory=itertools.count(2001).__next__)

    @classmethod
    def of(cls, customer: str, pairs: Iterable[tuple[str, int]]) -> Invoice:
        return cls(customer, [Line(t, c) for t, c in pairs if c])

    @property
    def net(self) -> int:
        return sum(line.cents for line in self.lines)

    @property
    def gross(self) -> int:
        return self.net * 119 // 100

    def reference(self) -> str:
        return f"RE-{self.number}/{self.customer[:3].upper()}"


from graphbus_core import GraphBusNode, subscribe  # noqa: E402


class Invoicing(GraphBusNode):
    @subscribe("/billing/bill")
    def bill(self, customer: str, items: list[str], prices: list[int]) -> dict[str, object]:
        invoice = Invoice.of(customer, zip(items, prices))
        return {"ref": invoice.reference(), "net": invoice.net, "gross": invoice.gross}
