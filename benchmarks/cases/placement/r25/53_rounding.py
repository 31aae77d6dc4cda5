# pure
"""Keeps nothing: precision is changed in a local context that ends with the event."""
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal, InvalidOperation, localcontext

from graphbus_core import GraphBusNode, subscribe

QUANTA = {"EUR": Decimal("0.01"), "JPY": Decimal("1"), "KWD": Decimal("0.001")}


def split(total: Decimal, parts: int, quantum: Decimal) -> list[Decimal]:
    share = (total / parts).quantize(quantum, rounding=ROUND_DOWN)
    shares = [share] * parts
    rest = total - share * parts
    i = 0
    while rest >= quantum:
        shares[i % parts] += quantum
        rest -= quantum
        i += 1
    return shares


class Splitter(GraphBusNode):
    @subscribe("/bills/split")
    def on_bill(self, total: str, people: int, currency: str) -> dict[str, object]:
        quantum = QUANTA.get(currency.upper(), QUANTA["EUR"])
        with localcontext() as ctx:
            ctx.prec = 9 if currency.upper() == "JPY" else 15
            ctx.rounding = ROUND_HALF_EVEN
            try:
                amount = Decimal(total).quantize(quantum)
            except InvalidOperation:
                return {"error": f"no amount: {total}"}
            if people < 1 or amount < 0:
                return {"error": "cannot split"}
            shares = split(amount, people, quantum)
        return {"shares": [str(s) for s in shares], "total": str(sum(shares))}
