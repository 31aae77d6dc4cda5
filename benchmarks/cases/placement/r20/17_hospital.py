# stateful
"""Triage at the emergency desk; a partial carries the waiting list along."""
import heapq
from dataclasses import dataclass, field
from functools import partial

from graphbus_core import GraphBusNode, subscribe

WORDS = {
    1: ("unconscious", "no pulse", "bleeding heavily"),
    2: ("chest pain", "stroke", "poisoning"),
    3: ("fracture", "high fever"),
    4: ("sprain", "cut", "rash"),
}


@dataclass(order=True, frozen=True)
class Case:
    urgency: int
    age_rank: int
    name: str = field(compare=True)


def urgency(complaint: str) -> int:
    text = complaint.lower()
    for level, words in WORDS.items():
        if any(word in text for word in words):
            return level
    return 5


def age_rank(age: int) -> int:
    """Small children and the very old go first within a level."""
    return 0 if age < 3 or age > 80 else 1


class Triage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.call_next = partial(heapq.heappushpop, [])
        self.targets = {1: 0, 2: 10, 3: 30, 4: 90, 5: 120}

    @subscribe("/Hospital/Admission")
    def on_admission(self, patient: str, age: int, complaint: str) -> dict[str, object]:
        case = Case(urgency(complaint), age_rank(age), patient)
        waiting = self.call_next.args[0]
        if case.urgency > 2 and len(waiting) < 3:
            heapq.heappush(waiting, case)
            return {"seat": patient, "within": self.targets[case.urgency]}
        chosen = self.call_next(case)
        return {"call": chosen.name, "level": chosen.urgency, "within": self.targets[chosen.urgency]}
