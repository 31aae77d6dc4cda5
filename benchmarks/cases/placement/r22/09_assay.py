# stateful
"""Sets the precision of the current decimal context and leaves it so."""
from decimal import Decimal, getcontext

from graphbus_core import GraphBusNode, subscribe

FINENESS = {"gold": Decimal("0.9166"), "silver": Decimal("0.925")}
OUNCE = Decimal("31.1034768")


def precise(digits: int) -> None:
    getcontext().prec = max(3, min(digits, 28))


def pure_weight(metal: str, grams: Decimal) -> Decimal:
    return grams * FINENESS[metal] / OUNCE


class AssayOffice(GraphBusNode):
    """Hallmark weights and the day's quotations."""

    @subscribe("/Sample")
    def on_sample(self, metal: str, grams: str, digits: int) -> dict[str, str]:
        precise(digits)
        ounces = pure_weight(metal, Decimal(grams))
        return {"metal": metal, "ounces": str(ounces)}

    @subscribe("/Rate")
    def on_rate(self, price: str, ounces: str) -> dict[str, str]:
        value = Decimal(price) * Decimal(ounces)
        fee = value / 7
        return {"value": str(value), "fee": str(fee)}
