# stateful
"""One of the two triggers behind the protocol has a memory: it goes on warning until it is clearly warmer."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Trigger(Protocol):
    def check(self, road: float, dew: float) -> bool: ...


@dataclass
class DewTrigger:
    margin: float = 0.5

    def check(self, road: float, dew: float) -> bool:
        return road <= dew + self.margin


@dataclass
class FreezeTrigger:
    limit: float = 0.5
    margin: float = 1.5

    def check(self, road: float, dew: float) -> bool:
        hit = road <= self.limit
        self.limit = 0.5 + self.margin * hit
        return hit


@dataclass(frozen=True)
class Warning_:
    freeze: Trigger
    moist: Trigger

    def text(self, road: float, dew: float) -> str:
        cold, wet = self.freeze.check(road, dew), self.moist.check(road, dew)
        match cold, wet:
            case True, True:
                return "black ice"
            case True, False:
                return "frost"
            case _:
                return "none"


class RoadFrost(GraphBusNode):
    warning = Warning_(FreezeTrigger(), DewTrigger())

    @subscribe("/Obs/Road")
    def on_road(self, road: float, dew: float) -> dict:
        return {"warning": self.warning.text(road, dew), "spread": round(road - dew, 1)}
