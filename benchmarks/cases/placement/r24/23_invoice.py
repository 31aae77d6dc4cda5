# stateful
"""Each invoice series draws its running number from a counter that lives as long as the module."""
from __future__ import annotations

import itertools
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

VAT = {"DE": Decimal("0.19"), "FR": Decimal("0.20"), "IT": Decimal("0.22")}
CENT = Decimal("0.01")

_series = defaultdict(lambda: itertools.count(1001))


def invoice_id(series: str, country: str) -> str:
    return f"{series}-{country}-{next(_series[series]):06d}"


def with_vat(net: Decimal, country: str) -> tuple[Decimal, Decimal]:
    rate = VAT.get(country, Decimal(0))
    tax = (net * rate).quantize(CENT, ROUND_HALF_UP)
    return tax, net + tax


class InvoiceWriter(GraphBusNode):
    """Turns a confirmed order into the head of an invoice."""

    @subscribe("/orders/confirmed")
    def on_confirmed(self, series: str, net: float, country: str) -> dict[str, str]:
        amount = Decimal(str(net)).quantize(CENT)
        tax, gross = with_vat(amount, country)
        return {
            "id": invoice_id(series, country),
            "net": str(amount),
            "tax": str(tax),
            "gross": str(gross),
            "note": "" if country in VAT else "reverse charge",
        }
