# pure
"""The schedule is a generator over the event's numbers in a local decimal context that is left again."""
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
BANKING = Context(prec=28, rounding=ROUND_HALF_EVEN)


class Instalment(NamedTuple):
    number: int
    interest: Decimal
    principal: Decimal
    rest: Decimal


def annuity(loan: Decimal, monthly: Decimal, months: int) -> Decimal:
    if not monthly:
        return (loan / months).quantize(CENT)
    growth = (1 + monthly) ** months
    return (loan * monthly * growth / (growth - 1)).quantize(CENT)


def schedule(loan: Decimal, monthly: Decimal, months: int) -> Iterator[Instalment]:
    rate = annuity(loan, monthly, months)
    rest = loan
    for number in range(1, months + 1):
        interest = (rest * monthly).quantize(CENT)
        principal = rest if number == months else min(rest, rate - interest)
        rest -= principal
        yield Instalment(number, interest, principal, rest)


class LoanOffers(GraphBusNode):
    @subscribe("/Loan/Asked")
    def on_loan(self, customer: str, euros: int, months: int, basis_points: int) -> dict[str, object]:
        months = max(1, min(months, 120))
        loan = Decimal(max(0, min(euros, 10_000_000)))
        with localcontext(BANKING):
            monthly = Decimal(max(0, min(basis_points, 5000))) / 10_000 / 12
            total = Decimal(0)
            first = last = None
            for part in schedule(loan, monthly, months):
                first = first or part
                last = part
                total += part.interest
            assert first is not None and last is not None
            return {
                "customer": customer,
                "first": str(first.interest + first.principal),
                "last": str(last.interest + last.principal),
                "interest": str(total),
            }
