# pure
"""Changes the decimal precision only inside a local context."""
from decimal import Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

FINENESS = {"gold": Decimal("0.9166"), "silver": Decimal("0.925")}
OUNCE = Decimal("31.1034768")
FEE = {"gold": Decimal("0.004"), "silver": Decimal("0.011")}


def weigh(metal: str, bars: list[str], digits: int) -> tuple[Decimal, Decimal]:
    with localcontext() as ctx:
        ctx.prec = digits
        total = Decimal(0)
        for bar in bars:
            total += Decimal(bar) * FINENESS[metal] / OUNCE
        return total, total * FEE[metal]


def percentage(part: Decimal, whole: Decimal) -> str:
    return f"{part / whole:.3%}" if whole else "0%"


class Refinery(GraphBusNode):
    @subscribe("/Lot")
    def on_lot(self, metal: str, bars: list[str], digits: int) -> dict[str, object]:
        fine, fee = weigh(metal, bars, digits)
        return {
            "fine": str(fine),
            "fee": str(fee),
            "net": str(fine - fee),
            "largest": percentage(max(map(Decimal, bars)), sum(map(Decimal, bars))),
        }
