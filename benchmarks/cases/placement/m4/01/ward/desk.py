from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

from .beds import ROOMS, Plan, plan


class Reception(GraphBusNode):
    """Answers visitors."""

    @subscribe("/Desk/Visitor")
    def find(self, patient: str) -> str:
        return "Please go to " + plan.whereabouts(patient)


class SurgePlanner(GraphBusNode):
    """Would this list of arrivals fit an empty ward?"""

    @subscribe("/Desk/Surge")
    def simulate(self, arrivals: list[str]) -> dict:
        trial = Plan(ROOMS)
        placed, refused = {}, []
        for entry in arrivals:
            name, _, flag = entry.partition("!")
            room = trial.place(name, bool(flag))
            if room:
                placed[name] = room
            else:
                refused.append(name)
        return {"placed": placed, "refused": refused, "iso_total": plan.capacity(True)}


@dataclass(frozen=True)
class Band:
    limits: tuple[float, ...]
    points: tuple[int, ...]

    def score(self, value: float) -> int:
        return self.points[bisect_right(self.limits, value)]


VITALS = {
    "resp": Band((9, 12, 21, 25), (3, 1, 0, 2, 3)),
    "pulse": Band((41, 51, 91, 111, 131), (3, 1, 0, 1, 2, 3)),
    "temp": Band((35.1, 36.1, 38.1, 39.1), (3, 1, 0, 1, 2)),
}


class TriageScore(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.worst = 0
        self.parts: dict[str, int] = {}

    @subscribe("/Desk/Vitals")
    def on_vitals(self, resp: int, pulse: int, temp: float) -> dict:
        self.parts = {
            "resp": VITALS["resp"].score(resp),
            "pulse": VITALS["pulse"].score(pulse),
            "temp": VITALS["temp"].score(temp),
        }
        self.worst = max(self.parts.values())
        total = sum(self.parts.values())
        return {"score": total, "urgent": total >= 5 or self.worst == 3}
