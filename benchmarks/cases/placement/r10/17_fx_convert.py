# stateful
"""Keeps the sticky Inexact flag of the thread's decimal context, which is read but never cleared."""
from decimal import Decimal, Inexact, InvalidOperation, getcontext

from graphbus_core import GraphBusNode, subscribe

RATES = {
    ("EUR", "USD"): Decimal("1.08"),
    ("EUR", "GBP"): Decimal("0.8575"),
    ("USD", "JPY"): Decimal("149.5"),
    ("EUR", "CHF"): Decimal("0.95"),
}
DIGITS = {"JPY": Decimal(1)}
CENT = Decimal("0.01")


def rate(source: str, target: str) -> Decimal:
    if source == target:
        return Decimal(1)
    if (direct := RATES.get((source, target))) is not None:
        return direct
    if (inverse := RATES.get((target, source))) is not None:
        return 1 / inverse
    raise LookupError(f"{source}/{target}")


def convert(amount: Decimal, source: str, target: str) -> tuple[Decimal, bool]:
    """The converted amount and whether rounding took something away."""
    context = getcontext()
    result = (amount * rate(source, target)).quantize(DIGITS.get(target, CENT))
    return result, bool(context.flags[Inexact])


class Exchange(GraphBusNode):
    @subscribe("/fx/convert")
    def on_convert(self, amount: str, source: str, target: str) -> dict[str, object]:
        try:
            value, rounded = convert(Decimal(amount), source, target)
        except LookupError as error:
            return {"error": f"no rate for {error}"}
        except InvalidOperation:
            return {"error": "amount"}
        return {"amount": str(value), "currency": target, "rounded": rounded}
