# stateful
"""A long maturity raises the precision of the thread's decimal context and nothing lowers it again."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

decimal.getcontext().prec = 12


def present_value(face: Decimal, coupon: Decimal, rate: Decimal, years: int) -> Decimal:
    if years > 20:
        # the powers get too small for twelve digits
        decimal.getcontext().prec = 28
    factor = 1 + rate
    total = Decimal(0)
    for year in range(1, years + 1):
        total += coupon / factor ** year
    return total + face / factor ** years


class BondDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/bond/value")
    def on_value(self, face: str, coupon_pct: str, rate_pct: str, years: int) -> dict[str, str]:
        amount = Decimal(face)
        coupon = amount * Decimal(coupon_pct) / 100
        value = present_value(amount, coupon, Decimal(rate_pct) / 100, years)
        return {"value": str(value)}

    @subscribe("/bond/accrued")
    def on_accrued(self, face: str, coupon_pct: str, days: int) -> dict[str, str]:
        accrued = Decimal(face) * Decimal(coupon_pct) / 100 * days / 365
        return {"accrued": str(accrued)}
