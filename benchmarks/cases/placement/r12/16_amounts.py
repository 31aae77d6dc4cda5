# stateful
"""The cache for printed amounts treats 1.5 and 1.50 as one key, so the digits of the first are printed for the second."""
from decimal import Decimal, InvalidOperation
from functools import cache

from graphbus_core import GraphBusNode, subscribe

SYMBOL = {"EUR": "€", "GBP": "£", "USD": "$"}


@cache
def spelled(amount: Decimal, currency: str) -> str:
    """Prints an amount with as many digits as the sender gave, grouped by thousands."""
    sign, digits, exponent = amount.as_tuple()
    places = max(0, -int(exponent))
    text = f"{abs(amount):,.{places}f}"
    return f"{'-' if sign else ''}{SYMBOL.get(currency, currency + ' ')}{text}"


def parse(raw: str) -> Decimal | None:
    try:
        value = Decimal(raw.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value) < 10**12 else None


class AmountLines(GraphBusNode):
    """Writes the amount lines for the paper advice; the bank wants the digits as they were sent."""

    @subscribe("/Advice/Line")
    def on_line(self, account: str, amount: str, currency: str) -> dict[str, str]:
        value = parse(amount)
        if value is None:
            return {"account": account, "error": f"not an amount: {amount!r}"}
        kind = "credit" if value >= 0 else "debit"
        return {"account": account, "kind": kind, "line": spelled(value, currency.upper())}

    @subscribe("/Advice/Limit")
    def on_limit(self, account: str, amount: str) -> str:
        value = parse(amount)
        return f"{account}: limit {spelled(value, 'EUR')}" if value is not None else f"{account}: no limit"
