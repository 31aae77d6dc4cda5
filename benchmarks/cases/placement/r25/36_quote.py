# pure
"""Keeps nothing: offer and rebate objects live for one event, the price list is frozen."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class PriceList:
    panel: int = 18_900
    inverter: int = 124_000
    hour: int = 6_400


@dataclass(frozen=True)
class Offer:
    panels: int
    hours: int
    rebate: int = 0
    notes: tuple[str, ...] = ()

    def noted(self, text: str) -> Offer:
        return replace(self, notes=self.notes + (text,))

    def with_rebate(self, percent: int) -> Offer:
        return replace(self, rebate=self.rebate + percent)


@dataclass
class Calculator:
    prices: PriceList = field(default_factory=PriceList)

    def total(self, offer: Offer) -> int:
        p = self.prices
        inverters = -(-offer.panels // 14)
        cents = offer.panels * p.panel + inverters * p.inverter + offer.hours * p.hour
        return cents * (100 - offer.rebate) // 100


class SolarQuotes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.calculator = Calculator()

    @subscribe("/solar/ask")
    def ask(self, panels: int, flat_roof: bool) -> dict[str, object]:
        offer = Offer(panels, hours=4 + panels // 2)
        if flat_roof:
            offer = replace(offer, hours=offer.hours + 3).noted("ballast needed")
        if panels >= 20:
            offer = offer.with_rebate(4).noted("volume rebate")
        return {"total": self.calculator.total(offer), "notes": list(offer.notes)}
