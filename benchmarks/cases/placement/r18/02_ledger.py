# stateful
"""The decimal context's Inexact flag stays raised once any amount has been rounded, and later answers carry the warning."""
from __future__ import annotations

import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
VAT = {"standard": Decimal("0.21"), "reduced": Decimal("0.09"), "zero": Decimal("0")}


def parse_amount(text: str) -> Decimal:
    cleaned = text.replace("€", "").replace(" ", "").replace(",", ".")
    if cleaned.count(".") > 1:
        head, _, tail = cleaned.rpartition(".")
        cleaned = head.replace(".", "") + "." + tail
    return Decimal(cleaned)


def split_vat(gross: Decimal, band: str) -> tuple[Decimal, Decimal]:
    rate = VAT[band]
    net = (gross / (1 + rate)).quantize(CENT, rounding=decimal.ROUND_HALF_EVEN)
    return net, gross - net


def rounding_note() -> str:
    flags = decimal.getcontext().flags
    return "amounts rounded" if flags[decimal.Inexact] else "exact"


class Bookkeeper(GraphBusNode):
    @subscribe("/Books/Receipt")
    def on_receipt(self, gross: str, band: str) -> dict[str, str]:
        amount = parse_amount(gross)
        net, tax = split_vat(amount, band if band in VAT else "standard")
        return {
            "net": f"{net:.2f}",
            "tax": f"{tax:.2f}",
            "note": rounding_note(),
        }
