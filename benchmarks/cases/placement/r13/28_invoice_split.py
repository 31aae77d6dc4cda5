# pure
"""Keeps nothing: the generator lives for one event only; the decimal context is local."""
from decimal import Decimal, localcontext, ROUND_DOWN
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


def spread(total: Decimal, weights: list[int]) -> Iterator[Decimal]:
    whole = sum(weights)
    rest = total
    for weight in weights[:-1]:
        part = (total * weight / whole).quantize(Decimal("0.01"), rounding=ROUND_DOWN)
        rest -= part
        yield part
    if weights:
        yield rest


class InvoiceSplit(GraphBusNode):
    """Divides the bill of a shared loss between the insurers taking part."""

    @subscribe("/CoInsurance/Bill")
    def split(self, bill: str, shares: dict[str, int]) -> dict[str, object]:
        names = [name for name, share in shares.items() if share > 0]
        if not names:
            return {"parts": {}, "lead": None}
        with localcontext() as ctx:
            ctx.prec = 18
            total = Decimal(bill)
            parts = dict(zip(names, spread(total, [shares[n] for n in names])))
        lead = max(names, key=lambda n: (shares[n], n))
        shown = {name: f"{part:.2f}" for name, part in parts.items()}
        return {"parts": shown, "lead": lead}
