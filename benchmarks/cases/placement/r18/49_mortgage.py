# pure
"""Keeps nothing: the remaining debt is a local of the generator that writes one schedule."""
from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


class Rate(NamedTuple):
    year: int
    month: int
    interest: Decimal
    principal: Decimal
    debt: Decimal


def cents(value: Decimal) -> Decimal:
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def annuity(debt: Decimal, monthly: Decimal, months: int) -> Decimal:
    if not monthly:
        return cents(debt / months)
    growth = (1 + monthly) ** months
    return cents(debt * monthly * growth / (growth - 1))


def schedule(debt: Decimal, yearly: Decimal, months: int, start: tuple[int, int], extra: dict[str, str]) -> Iterator[Rate]:
    monthly = yearly / 1200
    payment = annuity(debt, monthly, months)
    year, month = start
    for number in range(months):
        interest = cents(debt * monthly)
        principal = min(debt, payment - interest) if number < months - 1 else debt
        principal = min(debt, principal + Decimal(extra.get(f"{year}-{month:02d}", "0")))
        debt -= principal
        yield Rate(year, month, interest, principal, debt)
        if not debt:
            return
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


class MortgageDesk(GraphBusNode):
    @subscribe("/Bank/Offer")
    def on_offer(self, amount: str, rate: str, years: int, start: str, extra: dict[str, str]) -> dict[str, object]:
        year, month = (int(part) for part in start.split("-"))
        rows = list(schedule(Decimal(amount), Decimal(rate), years * 12, (year, month), extra))
        by_year = {
            str(key): {"interest": str(sum(r.interest for r in group)), "debt": str(group[-1].debt)}
            for key, group in ((k, list(g)) for k, g in groupby(rows, key=lambda r: r.year))
        }
        last = rows[-1]
        return {"years": by_year, "paid_off": f"{last.year}-{last.month:02d}", "months": len(rows)}
