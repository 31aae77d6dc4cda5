# pure
"""Keeps nothing that matters: the lru_cache only saves the work of a function of its arguments."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Score:
    points: int = 100
    reasons: list[str] = field(default_factory=list)

    def lower(self, by: int, why: str) -> None:
        self.points = max(0, self.points - by)
        self.reasons.append(why)


@lru_cache(maxsize=256)
def age_penalty(age: int) -> int:
    if age < 18:
        return 100
    if age < 25:
        return (25 - age) * 4
    if age > 75:
        return (age - 75) * 2
    return 0


class DriverScoring(GraphBusNode):
    @subscribe("/Motor/Score")
    def score(self, age: int, accidents: int, years_licensed: int, garage: bool) -> dict[str, object]:
        result = Score()
        penalty = age_penalty(age)
        if penalty:
            result.lower(penalty, "age")
        for n in range(accidents):
            result.lower(10 + 5 * n, f"accident {n + 1}")
        if years_licensed < 3:
            result.lower(12, "new licence")
        if garage:
            result.points = min(100, result.points + 5)
            result.reasons.append("garage")
        band = "ABCDE"[min(4, (100 - result.points) // 20)]
        return {"points": result.points, "band": band, "reasons": result.reasons}
