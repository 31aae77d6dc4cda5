# stateful
"""The waiting room is a heap bound into a partial; each arrival is pushed and the most urgent patient so far is called."""
from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import partial

from graphbus_core import GraphBusNode, subscribe

LIMITS = {"pulse": (50, 120), "spo2": (92, 101), "sys": (90, 180), "temp": (35.0, 39.5)}
COMPLAINTS = {"chest pain": 2, "bleeding": 2, "fracture": 3, "fever": 4, "rash": 5}
WAIT = {1: "at once", 2: "10 min", 3: "30 min", 4: "90 min", 5: "120 min"}


@dataclass(order=True)
class Case:
    level: int
    age_key: int
    name: str = field(compare=True)
    complaint: str = field(compare=False)


def level(complaint: str, vitals: dict[str, float]) -> int:
    base = COMPLAINTS.get(complaint.lower(), 4)
    off = sum(not low <= vitals[name] <= high for name, (low, high) in LIMITS.items() if name in vitals)
    return max(1, base - off)


def queue_of(*cases: Case) -> partial[Case]:
    room = list(cases)
    heapq.heapify(room)
    return partial(heapq.heappushpop, room)


NIGHT_SHIFT = (
    Case(4, 30, "Vera", "fever"),
    Case(5, 61, "Otto", "rash"),
)


class Triage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.next_case = queue_of(*NIGHT_SHIFT)

    @subscribe("/Hospital/Arrival")
    def on_arrival(self, name: str, age: int, complaint: str, vitals: dict[str, float]) -> dict[str, object]:
        arrived = Case(level(complaint, vitals), abs(age - 40), name, complaint)
        called = self.next_case(arrived)
        return {"level": arrived.level, "wait": WAIT[arrived.level], "call": f"{called.name} ({called.complaint})"}
