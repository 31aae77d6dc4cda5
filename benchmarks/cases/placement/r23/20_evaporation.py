# pure
"""The arithmetic context is local to each event, and its flags are cleared before it is used."""
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, localcontext

from graphbus_core import GraphBusNode, subscribe

CONTEXT = Context(prec=6)


@dataclass(frozen=True)
class Crop:
    name: str
    factors: tuple[str, str, str]

    def factor(self, day: int) -> Decimal:
        return Decimal(self.factors[0 if day < 30 else 1 if day < 90 else 2])


CROPS = {c.name: c for c in (Crop("maize", ("0.3", "1.2", "0.6")), Crop("potato", ("0.5", "1.15", "0.75")))}
GRASS = Crop("grass", ("1", "1", "1"))


@dataclass(frozen=True)
class Demand:
    mm: Decimal
    exact: bool


def demand(crop: Crop, day: int, reference: Decimal, rain: Decimal) -> Demand:
    CONTEXT.clear_flags()
    with localcontext(CONTEXT) as ctx:
        need = reference * crop.factor(day) - rain * Decimal("0.8")
        need = max(need, Decimal(0)) / 3 * 3
        return Demand(need, not ctx.flags[Inexact])


class Irrigation(GraphBusNode):
    @subscribe("/Agro/Day")
    def on_day(self, crop: str, day: int, reference: str, rain: str) -> dict:
        result = demand(CROPS.get(crop, GRASS), day, Decimal(reference), Decimal(rain))
        return {"mm": str(result.mm), "exact": result.exact, "irrigate": result.mm > 2}
