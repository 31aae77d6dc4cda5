# pure
"""Keeps nothing: the order is built, priced and dropped within the event."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
VAT = {"food": Decimal("0.10"), "book": Decimal("0.05"), "other": Decimal("0.20")}
TIERS = [(Decimal("500"), Decimal("0.08")), (Decimal("100"), Decimal("0.03")), (Decimal("0"), Decimal("0"))]


@dataclass
class Line:
    sku: str
    category: str
    quantity: int
    unit: Decimal

    @property
    def net(self) -> Decimal:
        return self.unit * self.quantity


@dataclass
class Order:
    lines: list[Line] = field(default_factory=list)
    taxes: dict[str, Decimal] = field(default_factory=dict)

    def add(self, line: Line) -> "Order":
        self.lines.append(line)
        return self

    def discount(self) -> Decimal:
        net = sum((line.net for line in self.lines), Decimal())
        return next(rate for limit, rate in TIERS if net >= limit)

    def settle(self) -> Decimal:
        factor = 1 - self.discount()
        total = Decimal()
        for line in self.lines:
            net = (line.net * factor).quantize(CENT)
            tax = (net * VAT.get(line.category, VAT["other"])).quantize(CENT)
            self.taxes[line.category] = self.taxes.get(line.category, Decimal()) + tax
            total += net + tax
        return total


class OrderPricing(GraphBusNode):
    @subscribe("/Order/Price")
    def on_order(self, rows: list[str]) -> dict[str, object]:
        order = Order()
        rejected = []
        for row in rows:
            try:
                sku, category, quantity, unit = row.split(":")
                order.add(Line(sku, category, int(quantity), Decimal(unit)))
            except (ValueError, ArithmeticError):
                rejected.append(row)
        with localcontext() as context:
            context.rounding = ROUND_HALF_UP
            total = order.settle()
        return {
            "total": str(total),
            "taxes": {name: str(tax) for name, tax in sorted(order.taxes.items())},
            "rejected": rejected,
        }
