# stateful
"""Keeps the precision that a contract asked for, since it is set on the thread's decimal context."""
import decimal
from decimal import Decimal
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

PRECISION = {"retail": 6, "interbank": 12, "custody": 18}


def parse_rate(text: str) -> Decimal:
    """Rates come as 3/8, 4.25% or 0.0425."""
    text = text.strip()
    if "/" in text:
        fraction = Fraction(text)
        return Decimal(fraction.numerator) / Decimal(fraction.denominator)
    if text.endswith("%"):
        return Decimal(text[:-1]) / 100
    return Decimal(text)


def compound(principal: Decimal, rate: Decimal, years: int) -> Decimal:
    return principal * (1 + rate) ** years


class Interest(GraphBusNode):
    @subscribe("/contracts/interest")
    def interest(self, principal: int, rate: str, years: int, segment: str) -> dict[str, str]:
        if segment in PRECISION:
            decimal.getcontext().prec = PRECISION[segment]
        try:
            value = compound(Decimal(principal), parse_rate(rate), years)
        except (decimal.InvalidOperation, ValueError, ZeroDivisionError):
            return {"error": rate}
        return {"value": format(value.normalize(), "f")}
