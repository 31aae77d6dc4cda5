from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe

from network import great_circle


class Cabin(Enum):
    ECONOMY = "Y", 1.0
    PREMIUM = "W", 1.25
    BUSINESS = "C", 2.0

    def __new__(cls, code: str, factor: float):
        member = object.__new__(cls)
        member._value_ = code
        member.factor = factor
        return member


@dataclass(slots=True)
class Statement:
    miles: int = 0
    segments: int = 0

    def __iadd__(self, miles: int) -> "Statement":
        self.miles += max(500, miles)
        self.segments += 1
        return self


class MilesStatement(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.km_per_mile = 1.609344

    @subscribe("/Air/Miles/TripFlown")
    def credit(self, route: list, cabin: str, status: str) -> dict[str, int]:
        total = Statement()
        for a, b in zip(route, route[1:]):
            total += round(great_circle(a, b) / self.km_per_mile * Cabin(cabin).factor)
        bonus = {"silver": 25, "gold": 50}.get(status, 0)
        return {"miles": total.miles + total.miles * bonus // 100, "segments": total.segments}
