# stateful
"""Dilutes must; the arithmetic context is shared and its inexact flag stays up once it was raised."""
from decimal import Context, Decimal, DivisionByZero, Inexact, ROUND_HALF_EVEN

from graphbus_core import GraphBusNode, subscribe

CELLAR = Context(prec=5, rounding=ROUND_HALF_EVEN, traps=[DivisionByZero])

GRAPES = {"riesling": ("white", Decimal("0.47")), "merlot": ("red", Decimal("0.45")), "silvaner": ("white", Decimal("0.48"))}


def alcohol_from(oechsle: int, factor: Decimal) -> Decimal:
    """Grams of alcohol per litre that the must can give."""
    sugar = CELLAR.subtract(CELLAR.multiply(Decimal(oechsle), Decimal("2.5")), Decimal(25))
    return CELLAR.multiply(sugar, factor)


def volume_percent(grams: Decimal) -> Decimal:
    return CELLAR.divide(grams, Decimal("8"))


def quality(oechsle: int) -> str:
    steps = {120: "beerenauslese", 95: "auslese", 85: "spaetlese", 73: "kabinett", 55: "country wine"}
    for limit, name in steps.items():
        if oechsle >= limit:
            return name
    return "table wine"


class MustSheet(GraphBusNode):
    """Writes the line in the cellar book; values that had to be rounded get a tilde."""

    def __init__(self) -> None:
        super().__init__()
        self.context = CELLAR

    @subscribe("/Vineyard/Must")
    def on_must(self, vat: str, grape: str, oechsle: int, litres: int) -> dict[str, str]:
        colour, factor = GRAPES.get(grape.lower(), ("rose", Decimal("0.46")))
        grams = alcohol_from(oechsle, factor)
        percent = volume_percent(grams)
        total = self.context.multiply(grams, Decimal(litres))
        mark = "~" if self.context.flags[Inexact] else ""
        return {
            "vat": vat,
            "colour": colour,
            "quality": quality(oechsle),
            "alcohol": f"{mark}{percent} %vol",
            "total": f"{mark}{total} g",
        }
