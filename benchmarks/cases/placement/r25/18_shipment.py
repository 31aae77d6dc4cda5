# stateful
"""Keeps the carrier settings that the last settings event brought."""
from __future__ import annotations

from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Carrier:
    name: str = "post"
    max_grams: int = 20_000
    surcharge: int = 0

    def accepts(self, grams: int) -> bool:
        return 0 < grams <= self.max_grams


@dataclass
class Desk:
    carrier: Carrier = field(default_factory=Carrier)

    def quote(self, grams: int) -> int | None:
        if not self.carrier.accepts(grams):
            return None
        return 450 + grams // 100 * 4 + self.carrier.surcharge


class Shipments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()

    @subscribe("/admin/carrier")
    def on_carrier(self, carrier: str, surcharge: int) -> dict[str, str]:
        self.desk.carrier.name = carrier
        self.desk.carrier.surcharge = surcharge
        return {"accepted": carrier}

    @subscribe("/shipments/quote")
    def on_quote(self, grams: int) -> dict[str, object]:
        cents = self.desk.quote(grams)
        if cents is None:
            return {"refused": grams}
        return {"cents": cents, "by": self.desk.carrier.name}
