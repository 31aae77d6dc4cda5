# stateful
"""Checks lift passes; every turnstile object that is made shares the attributes of all the others."""
from datetime import datetime

from graphbus_core import GraphBusNode, subscribe

LIFTS = {"Gondola": (900, 7), "Sun Chair": (600, 4), "T-Bar": (300, 2), "Glacier": (1100, 12)}
PASSES = {"D": ("day", None), "P": ("points", 20), "H": ("half day", None)}


class Turnstile:
    _common: dict[str, dict[str, int]] = {}

    def __init__(self) -> None:
        self.__dict__ = self._common
        if "points" not in self.__dict__:
            self.points = {}
            self.height = {}

    def charge(self, card: str, budget: int | None, price: int) -> int | None:
        """Points that are left, None for a pass without points; -1 if they do not suffice."""
        if budget is None:
            return None
        left = self.points.get(card, budget) - price
        if left < 0:
            return -1
        self.points[card] = left
        return left

    def climb(self, card: str, metres: int) -> int:
        self.height[card] = self.height.get(card, 0) + metres
        return self.height[card]


def badge(metres: int) -> str:
    return "gold" if metres >= 4000 else "silver" if metres >= 2000 else ""


def valid_at(kind: str, moment: datetime) -> bool:
    if kind == "half day" and moment.hour < 12:
        return False
    return 8 <= moment.hour < 17


class LiftGate(GraphBusNode):
    @subscribe("/Ski/Scan")
    def on_scan(self, card: str, lift: str, moment: str) -> dict[str, object]:
        kind, budget = PASSES.get(card[:1].upper(), ("day", None))
        if lift not in LIFTS or not valid_at(kind, datetime.fromisoformat(moment)):
            return {"open": False, "light": "red"}
        metres, price = LIFTS[lift]
        gate = Turnstile()
        left = gate.charge(card, budget, price)
        if left == -1:
            return {"open": False, "light": "yellow"}
        return {"open": True, "light": "green", "left": left, "badge": badge(gate.climb(card, metres))}
