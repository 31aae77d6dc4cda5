# pure
"""The precision is raised inside a local context only, which is left again even when the sum makes no sense."""
import decimal
from decimal import Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


def annuity(principal: Decimal, monthly: Decimal, months: int) -> Decimal:
    with localcontext() as ctx:
        ctx.prec = 50 if months > 120 else 34
        ctx.rounding = decimal.ROUND_HALF_UP
        if not monthly:
            return principal / months
        return principal * monthly / (1 - (1 + monthly) ** -months)


class LoanSchedule(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/loan/rate")
    def on_rate(self, principal: str, yearly_pct: str, months: int) -> dict[str, str]:
        try:
            rate = annuity(Decimal(principal), Decimal(yearly_pct) / 1200, months)
        except decimal.DecimalException as problem:
            return {"error": type(problem).__name__}
        return {"exact": str(+rate), "rate": str(rate.quantize(CENT))}

    @subscribe("/loan/interest")
    def on_interest(self, owed: str, yearly_pct: str, days: int) -> dict[str, str]:
        interest = Decimal(owed) * Decimal(yearly_pct) / 100 * days / 360
        return {"interest": str(interest)}
