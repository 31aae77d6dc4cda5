# stateful
"""Keeps the sticky signal flags of one decimal context: after the first inexact amount every answer is 'rounded'."""
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, ROUND_HALF_EVEN

from graphbus_core import GraphBusNode, subscribe

DESK = Context(prec=9, rounding=ROUND_HALF_EVEN, traps=[DivisionByZero, InvalidOperation])

TO_EUR = {
    "EUR": Decimal("1"),
    "USD": Decimal("0.92"),
    "JPY": Decimal("0.0061"),
    "CHF": Decimal("1.04"),
}


def convert(amount: Decimal, source: str, target: str) -> Decimal:
    in_euro = DESK.multiply(amount, TO_EUR[source])
    return DESK.divide(in_euro, TO_EUR[target])


def was_rounded() -> bool:
    return bool(DESK.flags[Inexact])


class FxConvert(GraphBusNode):
    """Converts between currencies and says whether the amount is exact."""

    @subscribe("/Fx/Convert")
    def on_convert(self, amount: str, source: str, target: str) -> dict[str, object]:
        try:
            result = convert(Decimal(amount), source, target)
        except KeyError as missing:
            return {"error": f"currency {missing.args[0]}"}
        except InvalidOperation:
            return {"error": f"amount {amount}"}
        return {
            "amount": format(result.normalize(DESK), "f"),
            "currency": target,
            "note": "rounded" if was_rounded() else "exact",
        }
