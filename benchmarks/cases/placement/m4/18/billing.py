from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from hydraulics import tiered

TIERS = {
    "household": ((30.0, 1.2), (100.0, 1.85), (float("inf"), 2.6)),
    "trade": ((500.0, 1.5), (float("inf"), 1.4)),
}


def previous(meter: str, reading: float) -> float:
    before = previous.book.get(meter, 0.0)
    previous.book[meter] = reading
    return before


previous.book = {}


class MeterBill(GraphBusNode):
    """Yearly bill from the new reading."""

    @subscribe("/Water/Reading")
    def on_reading(self, meter: str, reading: float, kind: str) -> dict:
        used = reading - previous(meter, reading)
        return {"meter": meter, "m3": used, "cost": tiered(max(used, 0.0), TIERS[kind])}


class Estimate(GraphBusNode):
    @subscribe("/Water/Estimate")
    def on_estimate(self, persons: int, garden: bool) -> dict:
        used = 44.0 * persons + 20.0 * garden
        return {kind: tiered(used, tiers) for kind, tiers in TIERS.items()}
