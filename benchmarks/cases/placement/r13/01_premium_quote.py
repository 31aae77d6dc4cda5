# pure
"""Keeps nothing: the tables are read only and every quote is worked out from the event's own fields."""
from decimal import Decimal, ROUND_HALF_UP

from graphbus_core import GraphBusNode, subscribe

BASE = {"house": Decimal("182.40"), "flat": Decimal("121.10"), "bungalow": Decimal("167.90")}
REGION_FACTORS = {"N": Decimal("0.95"), "S": Decimal("1.10"), "E": Decimal("1.02"), "W": Decimal("1.00")}
CENT = Decimal("0.01")


def age_loading(built: int) -> Decimal:
    if built < 1900:
        return Decimal("1.35")
    if built < 1950:
        return Decimal("1.20")
    return Decimal("1.00")


class HomeQuote(GraphBusNode):
    TAX = Decimal("0.19")

    def __init__(self) -> None:
        super().__init__()
        self.base = dict(BASE)
        self.surcharges = {"thatched": Decimal("60"), "pool": Decimal("35")}

    @subscribe("/Home/Quote")
    def quote(self, kind: str, region: str, built: int, extras: list[str]) -> dict[str, object]:
        steps: list[tuple[str, str]] = []
        amount = self.base.get(kind, BASE["house"])
        steps.append(("base", str(amount)))
        amount *= REGION_FACTORS.get(region, Decimal("1"))
        amount *= age_loading(built)
        steps.append(("risk", str(amount.quantize(CENT, ROUND_HALF_UP))))
        for extra in extras:
            if extra in self.surcharges:
                amount += self.surcharges[extra]
                steps.append((extra, str(self.surcharges[extra])))
        gross = (amount * (1 + self.TAX)).quantize(CENT, ROUND_HALF_UP)
        return {"gross": str(gross), "steps": steps}
