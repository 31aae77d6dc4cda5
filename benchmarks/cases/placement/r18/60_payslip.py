# pure
"""Keeps nothing: brackets are constants and the precision is set in a local context for one slip."""
from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

BRACKETS = [
    (Decimal("1200"), Decimal("0.00")),
    (Decimal("3000"), Decimal("0.22")),
    (Decimal("6500"), Decimal("0.34")),
    (None, Decimal("0.45")),
]
OVERTIME = {"weekday": Decimal("1.25"), "sunday": Decimal("1.75"), "holiday": Decimal("2")}


@dataclass
class Slip:
    employee: str
    lines: list[tuple[str, Decimal]] = field(default_factory=list)

    def add(self, label: str, amount: Decimal) -> "Slip":
        self.lines.append((label, amount))
        return self

    @property
    def total(self) -> Decimal:
        return sum((amount for _, amount in self.lines), Decimal(0))


def income_tax(gross: Decimal) -> Decimal:
    tax, lower = Decimal(0), Decimal(0)
    for upper, rate in BRACKETS:
        top = gross if upper is None else min(gross, upper)
        if top > lower:
            tax += (top - lower) * rate
        if upper is None or gross <= upper:
            break
        lower = upper
    return tax


class Payroll(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.pension = Decimal("0.0655")

    @subscribe("/HR/Month")
    def on_month(self, employee: str, hours: float, rate: str, overtime: dict[str, float]) -> dict[str, object]:
        with localcontext() as ctx:
            ctx.prec = 12
            ctx.rounding = ROUND_HALF_UP
            slip = Slip(employee).add("base", Decimal(str(hours)) * Decimal(rate))
            for kind, extra in sorted(overtime.items()):
                slip.add(f"overtime {kind}", Decimal(str(extra)) * Decimal(rate) * OVERTIME.get(kind, Decimal(1)))
            gross = slip.total
            slip.add("pension", -gross * self.pension).add("tax", -income_tax(gross))
            cent = Decimal("0.01")
            return {
                "employee": slip.employee,
                "lines": [f"{label:<20}{amount.quantize(cent):>12}" for label, amount in slip.lines],
                "net": str(slip.total.quantize(cent)),
            }
