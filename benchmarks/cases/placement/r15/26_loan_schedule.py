# pure
"""Keeps nothing: the decimal context it changes is a local one that ends with the block."""
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, ROUND_UP, Decimal, Inexact, localcontext
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Payment(NamedTuple):
    number: int
    interest: Decimal
    principal: Decimal
    left: Decimal


def annuity(amount: Decimal, rate: Decimal, months: int) -> Decimal:
    monthly = rate / 1200
    if not monthly:
        return amount / months
    grown = (1 + monthly) ** months
    return amount * monthly * grown / (grown - 1)


def payments(amount: Decimal, rate: Decimal, months: int) -> Iterator[Payment]:
    cent = Decimal("0.01")
    each = annuity(amount, rate, months).quantize(cent, rounding=ROUND_UP)
    left = amount
    for number in range(1, months + 1):
        interest = (left * rate / 1200).quantize(cent)
        principal = min(each - interest, left)
        left -= principal
        yield Payment(number, interest, principal, left)
        if not left:
            return


class LoanSchedule(GraphBusNode):
    @subscribe("/Bank/Quote")
    def on_quote(self, amount: str, rate: str, months: int) -> dict[str, object]:
        months = max(1, min(months, 120))
        with localcontext() as context:
            context.prec = 34
            context.rounding = ROUND_HALF_UP
            context.clear_flags()
            plan = list(payments(Decimal(amount), Decimal(rate), months))
            rounded = bool(context.flags[Inexact])
            interest = sum((payment.interest for payment in plan), Decimal(0))
        last = plan[-1]
        return {
            "months": len(plan),
            "interest": str(interest),
            "last": str(last.interest + last.principal),
            "rounded": rounded,
        }
