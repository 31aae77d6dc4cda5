# pure
"""Brackets with their running sums are laid out at import; a return is computed from its own figures."""
from bisect import bisect_right
from itertools import accumulate

from graphbus_core import GraphBusNode, subscribe

BOUNDS = [0, 10_000, 30_000, 80_000, 250_000]
RATES = [0.0, 0.14, 0.27, 0.38, 0.45]


def cumulative(bounds, rates):
    pieces = ((hi - lo) * r for lo, hi, r in zip(bounds, bounds[1:], rates))
    return [0.0, *accumulate(pieces)]


BASE = cumulative(BOUNDS, RATES)


def tariff(income: float) -> tuple[float, float]:
    i = bisect_right(BOUNDS, income) - 1
    return BASE[i] + (income - BOUNDS[i]) * RATES[i], RATES[i]


class TaxOffice(GraphBusNode):
    allowance = 3_200
    credit_per_child = 450

    @subscribe("/returns/filed")
    def on_return(self, income: int, status: str, children: int) -> dict:
        taxable = max(0, income - self.allowance)
        split = 2 if status == "joint" else 1
        tax, marginal = tariff(taxable / split)
        tax = tax * split - children * self.credit_per_child
        refund = 0.0
        if tax < 0:
            refund, tax = min(-tax, 600.0), 0.0
        return {
            "taxable": taxable,
            "tax": round(tax, 2),
            "refund": round(refund, 2),
            "marginal": marginal,
            "effective": round(tax / income, 4) if income else 0.0,
        }
