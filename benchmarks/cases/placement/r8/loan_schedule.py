# pure
"""Keeps nothing: the precision is changed inside localcontext and restored after it."""
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Payment:
    number: int
    interest: Decimal
    principal: Decimal
    left: Decimal


def annuity(amount: Decimal, rate: Decimal, months: int, digits: int) -> Decimal:
    with localcontext() as ctx:
        ctx.prec = digits
        ctx.rounding = ROUND_HALF_EVEN
        if rate == 0:
            return (amount / months).quantize(CENT)
        growth = (1 + rate) ** months
        return (amount * rate * growth / (growth - 1)).quantize(CENT)


def schedule(amount: Decimal, rate: Decimal, months: int, digits: int) -> Iterator[Payment]:
    pay = annuity(amount, rate, months, digits)
    left = amount
    for number in range(1, months + 1):
        interest = (left * rate).quantize(CENT)
        principal = min(left, pay - interest) if number < months else left
        left -= principal
        yield Payment(number, interest, principal, left)


class LoanSchedule(GraphBusNode):
    @subscribe("/Loans/Plan")
    def on_plan(self, amount: str, yearly_percent: str, months: int, digits: int) -> dict[str, object]:
        if not 1 <= months <= 60 or digits < 12:
            return {"error": "out of range"}
        rate = Decimal(yearly_percent) / 1200
        plan = list(schedule(Decimal(amount), rate, months, digits))
        return {
            "interest": str(sum(p.interest for p in plan)),
            "first": str(plan[0].principal),
            "rows": [f"{p.number}: {p.left}" for p in plan[-2:]],
            "third": str(Decimal(amount) / 3),
        }
