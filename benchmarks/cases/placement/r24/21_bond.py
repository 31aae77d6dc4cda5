# pure
"""The wide precision is set inside a local context and gone when the price is worked out."""
from decimal import Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

ONE = Decimal(1)


def cash_flows(face: Decimal, rate: Decimal, years: int, per_year: int = 2):
    coupon = face * rate / per_year
    last = years * per_year
    for period in range(1, last + 1):
        yield period, coupon + (face if period == last else 0)


def price(face: Decimal, rate: Decimal, years: int, y: Decimal):
    step = ONE + y / 2
    total = weighted = Decimal(0)
    for period, amount in cash_flows(face, rate, years):
        value = amount / step ** period
        total += value
        weighted += value * period / 2
    return total, weighted / total


class BondDesk(GraphBusNode):
    @subscribe("/quotes/bond")
    def on_quote(self, face: int, coupon: str, years: int, yield_pct: str) -> dict[str, str]:
        with localcontext() as ctx:
            ctx.prec = 40
            rate, y = Decimal(coupon), Decimal(yield_pct) / 100
            clean, macaulay = price(Decimal(face), rate, years, y)
            modified = macaulay / (ONE + y / 2)
            dv01 = clean * modified / 10000
        return {
            "price": f"{clean:.4f}",
            "duration": f"{macaulay:.3f}",
            "dv01": f"{dv01:.5f}",
            "against_par": "par" if clean == face else ("above" if clean > face else "below"),
        }
