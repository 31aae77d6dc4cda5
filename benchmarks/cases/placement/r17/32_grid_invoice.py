# pure
"""Keeps nothing: every invoice is computed in a copy of the billing context, flags included."""
from __future__ import annotations

from dataclasses import dataclass, field
from decimal import (
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Rounded,
    localcontext,
)

from graphbus_core import GraphBusNode, subscribe

BILLING = Context(prec=16, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation, DivisionByZero])
CENT = Decimal("0.01")
RATES = {"day": Decimal("0.2875"), "night": Decimal("0.1934"), "solar": Decimal("-0.0811")}


@dataclass
class Invoice:
    customer: str
    lines: list[tuple[str, Decimal]] = field(default_factory=list)

    def add(self, label: str, amount: Decimal) -> None:
        self.lines.append((label, amount))

    @property
    def net(self) -> Decimal:
        return sum((amount for _, amount in self.lines), Decimal(0))


class GridInvoices(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._vat = Decimal("0.19")

    @subscribe("/Readings")
    def on_reading(self, customer: str, kwh: dict[str, str], months: int) -> dict[str, object]:
        with localcontext(BILLING) as context:
            context.clear_flags()
            invoice = Invoice(customer)
            try:
                for zone in sorted(kwh):
                    if zone not in RATES:
                        return {"customer": customer, "error": f"no rate for {zone}"}
                    invoice.add(zone, (Decimal(kwh[zone]) * RATES[zone]).quantize(CENT))
                monthly = (invoice.net / Decimal(months)).quantize(CENT)
                vat = (invoice.net * self._vat).quantize(CENT)
            except (InvalidOperation, DivisionByZero) as problem:
                return {"customer": customer, "error": type(problem).__name__}
            return {
                "customer": invoice.customer,
                "lines": [f"{label}: {amount:,}" for label, amount in invoice.lines],
                "gross": str(invoice.net + vat),
                "monthly": str(monthly),
                "rounded": bool(context.flags[Inexact] or context.flags[Rounded]),
            }
