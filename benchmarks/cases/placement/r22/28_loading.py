# pure
"""The lanes of the deck are made anew for each sailing."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

SIZES = {"bike": (2.0, 0.2), "car": (4.5, 1.5), "van": (6.5, 2.8), "truck": (14.0, 22.0)}


@dataclass
class Lane:
    number: int
    length: float = 18.0
    load: list[str] = field(default_factory=list)

    @property
    def used(self) -> float:
        return sum(SIZES[v][0] for v in self.load)

    @property
    def weight(self) -> float:
        return sum(SIZES[v][1] for v in self.load)

    def takes(self, vehicle: str) -> bool:
        return self.used + SIZES[vehicle][0] <= self.length


def stow(lanes: list[Lane], vehicles: list[str]) -> list[str]:
    left = []
    for vehicle in sorted(vehicles, key=lambda v: SIZES[v], reverse=True):
        open_lanes = [lane for lane in lanes if lane.takes(vehicle)]
        if open_lanes:
            min(open_lanes, key=lambda lane: (lane.weight, lane.number)).load.append(vehicle)
        else:
            left.append(vehicle)
    return left


class Mate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.limit = 6

    @subscribe("/Manifest")
    def on_manifest(self, lanes: int, vehicles: list[str], wind: int) -> dict[str, object]:
        deck = [Lane(n + 1) for n in range(lanes)]
        left = stow(deck, vehicles)
        weights = [lane.weight for lane in deck]
        lean = round(max(weights) - min(weights), 1)
        return {"deck": {lane.number: lane.load for lane in deck}, "left": left, "lash": wind > self.limit or lean > 10}
