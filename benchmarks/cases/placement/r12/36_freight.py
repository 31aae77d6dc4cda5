# stateful
"""The tally is a default value of the dataclass, made once, so all consignments weigh into the same one."""
from __future__ import annotations

from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Tally:
    """Adds up pieces and grams."""

    def __init__(self) -> None:
        self.pieces = 0
        self.grams = 0

    def add(self, grams: int) -> None:
        self.pieces += 1
        self.grams += grams

    def __format__(self, spec: str) -> str:
        return f"{self.pieces} pcs, {self.grams / 1000:.1f} kg"


@dataclass
class Consignment:
    number: str
    carrier: str = "road"
    tally: Tally = Tally()

    LIMITS = {"road": 24_000, "air": 1_500, "bike": 40}

    def load(self, weights: list[int]) -> Consignment:
        for grams in weights:
            if grams > 0:
                self.tally.add(grams)
        return self

    @property
    def overweight(self) -> bool:
        return self.tally.grams > self.LIMITS.get(self.carrier, 1000) * 1000


class FreightDesk(GraphBusNode):
    @subscribe("/Freight/Booked")
    def on_booking(self, number: str, carrier: str, weights: list[int]) -> dict[str, object]:
        consignment = Consignment(number, carrier.lower()).load(weights)
        return {
            "number": number,
            "summary": f"{consignment.tally}",
            "overweight": consignment.overweight,
        }
