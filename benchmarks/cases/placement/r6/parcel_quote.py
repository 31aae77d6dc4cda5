# stateful
"""The memo's key leaves out the service, so the first service asked for a zone and weight sets the price of all."""
import math

from graphbus_core import GraphBusNode, subscribe

ZONE_CENTS = {"domestic": 480, "eu": 1250, "world": 2890}
SERVICE = {"economy": 0.85, "standard": 1.0, "express": 2.2}


class Quote:
    __slots__ = ("cents", "steps")

    def __init__(self, cents: int, steps: int) -> None:
        self.cents = cents
        self.steps = steps


class ParcelQuote(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._quotes: dict[tuple[str, int], Quote] = {}

    def _quote(self, zone: str, grams: int, service: str) -> Quote:
        steps = max(1, math.ceil(grams / 500))
        key = (zone, steps)
        found = self._quotes.get(key)
        if found is None:
            cents = ZONE_CENTS[zone] + (steps - 1) * ZONE_CENTS[zone] // 6
            found = self._quotes[key] = Quote(round(cents * SERVICE[service]), steps)
        return found

    @subscribe("/parcel/quote")
    def on_quote(self, zone: str, grams: int, service: str) -> dict[str, object]:
        if zone not in ZONE_CENTS or service not in SERVICE:
            return {"error": "no such rate"}
        if grams > 30_000:
            return {"error": "too heavy"}
        quote = self._quote(zone, grams, service)
        return {"zone": zone, "service": service, "cents": quote.cents, "steps": quote.steps}
