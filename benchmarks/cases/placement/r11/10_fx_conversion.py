# stateful
"""Lowers the precision of the thread's decimal context for some events and never puts it back."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

RATES = {
    ("EUR", "JPY"): Decimal("162.4831"),
    ("EUR", "KWD"): Decimal("0.334572"),
    ("USD", "JPY"): Decimal("149.0277"),
    ("GBP", "EUR"): Decimal("1.170412"),
}
DIGITS = {"JPY": 7}


class Pair:
    def __init__(self, source: str, target: str) -> None:
        self.key = (source.upper(), target.upper())

    def rate(self) -> Decimal:
        if self.key in RATES:
            return RATES[self.key]
        inverse = RATES.get(self.key[::-1])
        if inverse is None:
            raise LookupError("/".join(self.key))
        return 1 / inverse


def convert(amount: Decimal, pair: Pair) -> Decimal:
    context = decimal.getcontext()
    if pair.key[1] in DIGITS:
        context.prec = DIGITS[pair.key[1]]  # the Tokyo ledger takes seven digits
    return amount * pair.rate()


class FxConversion(GraphBusNode):
    @subscribe("/Treasury/Convert")
    def on_convert(self, amount: str, source: str, target: str) -> dict[str, str]:
        try:
            value = convert(Decimal(amount), Pair(source, target))
        except LookupError as unknown:
            return {"error": f"no rate for {unknown}"}
        return {"amount": str(value.normalize()), "currency": target.upper()}
