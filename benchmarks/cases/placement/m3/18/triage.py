from dataclasses import dataclass
from enum import IntEnum

from graphbus_core import GraphBusNode, subscribe


class Urgency(IntEnum):
    BLUE = 0
    GREEN = 1
    YELLOW = 4
    ORANGE = 6
    RED = 9


@dataclass
class Vitals:
    pulse: int
    systolic: int
    breath: int
    notes: tuple[str, ...] = ()

    def points(self):
        match (self.pulse, self.systolic, self.breath):
            case (p, _, b) if p == 0 or b == 0:
                return 10
            case (p, s, _) if p > 130 or s < 80:
                return 7
            case (p, s, b) if p > 110 or s < 100 or b > 24:
                return 4
        return 1 if self.notes else 0


class Triage(GraphBusNode):
    @subscribe("/Patient/Arrived")
    def arrived(self, pulse: int, systolic: int, breath: int, notes: list[str]) -> dict:
        vitals = Vitals(pulse, systolic, breath)
        for note in notes:
            vitals.notes += (note.strip().lower(),)
        score = vitals.points() + 2 * ("chest pain" in vitals.notes)
        level = max(u for u in Urgency if u <= score)
        return {"colour": level.name, "score": score}
