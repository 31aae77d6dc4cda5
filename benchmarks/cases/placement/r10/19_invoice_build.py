# stateful
"""Keeps a number series, for the default_factory of a dataclass field is the __next__ of a module-wide count."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import count
from typing import Any

from graphbus_core import GraphBusNode, subscribe

VAT = {"standard": Decimal("0.19"), "reduced": Decimal("0.07"), "none": Decimal(0)}


@dataclass(frozen=True)
class Line:
    text: str
    quantity: int
    unit_price: Decimal
    rate: str = "standard"

    @property
    def net(self) -> Decimal:
        return self.quantity * self.unit_price

    @property
    def tax(self) -> Decimal:
        return (self.net * VAT[self.rate]).quantize(Decimal("0.01"), ROUND_HALF_UP)


@dataclass
class Invoice:
    customer: str
    year: int
    lines: list[Line] = field(default_factory=list)
    serial: int = field(default_factory=count(1).__next__)

    @property
    def number(self) -> str:
        return f"RE-{self.year}-{self.serial:05d}"

    @property
    def total(self) -> Decimal:
        return sum((line.net + line.tax for line in self.lines), Decimal(0))


class Invoicing(GraphBusNode):
    @subscribe("/order/completed")
    def on_order(self, customer: str, year: int, items: list[dict[str, Any]]) -> dict[str, str]:
        invoice = Invoice(customer, year)
        for item in items:
            invoice.lines.append(Line(item["text"], item["quantity"], Decimal(item["price"]), item.get("rate", "standard")))
        return {"number": invoice.number, "customer": customer, "total": f"{invoice.total:.2f}"}
