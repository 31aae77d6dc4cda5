# pure
"""Calculates the instalments of one loan."""
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
MAX_MONTHS = 480


def cents(value: Decimal) -> Decimal:
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def instalment(principal: Decimal, monthly: Decimal, months: int) -> Decimal:
    if monthly == 0:
        return cents(principal / months)
    growth = (1 + monthly) ** months
    return cents(principal * monthly * growth / (growth - 1))


def schedule(principal: Decimal, yearly: Decimal, months: int):
    monthly = yearly / 1200
    rate = instalment(principal, monthly, months)
    balance = principal
    for month in range(1, months + 1):
        interest = cents(balance * monthly)
        payment = balance + interest if month == months else rate
        balance = balance + interest - payment
        yield month, payment, interest, balance


class LoanSchedule(GraphBusNode):
    @subscribe("/Loan/Offer")
    def on_offer(self, offer: str, principal: str, percent: str, months: int) -> dict[str, object]:
        if not 1 <= months <= MAX_MONTHS:
            return {"offer": offer, "error": "months out of range"}
        rows = list(schedule(Decimal(principal), Decimal(percent), months))
        return {
            "offer": offer,
            "rate": str(rows[0][1]),
            "last": str(rows[-1][1]),
            "interest": str(sum(interest for _, _, interest, _ in rows)),
            "half_way": str(rows[len(rows) // 2][3]),
        }
