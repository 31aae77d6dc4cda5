# stateful
"""Tests membership in a generator expression, which is used up as far as the code was looked for."""
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

_PRINTED = """
    SPRING-10  SPRING-15  WELCOME-5
    FRIENDS-20 LOYAL-10   STAFF-30
"""

COUPONS = (code.strip().upper() for code in _PRINTED.split())
FLOOR = Decimal("5.00")


def percent_of(code: str) -> Decimal:
    return Decimal(code.rpartition("-")[2])


def reduce(amount: Decimal, percent: Decimal) -> Decimal:
    off = (amount * percent / 100).quantize(Decimal("0.01"))
    return max(amount - off, min(amount, FLOOR))


class CouponDesk(GraphBusNode):
    @subscribe("/Checkout/Coupon")
    def on_coupon(self, cart: str, amount: str, code: str) -> dict[str, str]:
        total = Decimal(amount)
        wanted = code.strip().upper()
        if wanted not in COUPONS:
            return {"cart": cart, "total": str(total), "note": "coupon not valid"}
        return {"cart": cart, "total": str(reduce(total, percent_of(wanted))), "note": "coupon accepted"}
