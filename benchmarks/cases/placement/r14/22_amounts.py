# stateful
"""Keeps the first spelling of each Decimal in an interning table; equal decimals print differently."""
from decimal import Decimal, InvalidOperation

from graphbus_core import GraphBusNode, subscribe

_POOL: dict[Decimal, Decimal] = {}


def canonical(value: Decimal) -> Decimal:
    """Share equal values, most amounts come again and again."""
    return _POOL.setdefault(value, value)


class AmountParser(GraphBusNode):
    @subscribe("/Ledger/Line")
    def on_event(self, account: str, text: str) -> dict[str, str]:
        try:
            amount = canonical(Decimal(text.replace(",", "")))
        except InvalidOperation:
            return {"account": account, "error": f"not an amount: {text}"}
        sign = "credit" if amount >= 0 else "debit"
        return {"account": account, "amount": str(abs(amount)), "side": sign}
