# pure
"""Keeps only a cache of a function that depends on nothing but its arguments."""
import enum
from functools import lru_cache, reduce
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Urgency(enum.IntEnum):
    ROUTINE = 0
    SOON = 3
    URGENT = 5
    RESUSCITATE = 8

    @classmethod
    def of(cls, points: int) -> "Urgency":
        return max(level for level in cls if level <= points)


class Band(NamedTuple):
    low: float
    high: float
    points: int


BANDS: dict[str, tuple[Band, ...]] = {
    "pulse": (Band(51, 90, 0), Band(91, 110, 1), Band(41, 50, 1), Band(111, 130, 2), Band(0, 999, 3)),
    "breaths": (Band(12, 20, 0), Band(9, 11, 1), Band(21, 24, 2), Band(0, 999, 3)),
    "oxygen": (Band(96, 100, 0), Band(94, 95, 1), Band(92, 93, 2), Band(0, 100, 3)),
}


@lru_cache(maxsize=None)
def points(sign: str, value: float) -> int:
    for band in BANDS[sign]:
        if band.low <= value <= band.high:
            return band.points
    raise ValueError(f"{sign} of {value} is not plausible")


class TriageScore(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hits: dict[tuple[tuple[str, float], ...], int] = {}

    def _score(self, signs: dict[str, float]) -> int:
        key = tuple(sorted(signs.items()))
        if key not in self._hits:
            self._hits[key] = reduce(lambda total, pair: total + points(*pair), key, 0)
        return self._hits[key]

    @subscribe("/Emergency/Vitals")
    def on_vitals(self, patient: str, signs: dict[str, float]) -> dict[str, object]:
        unknown = sorted(signs.keys() - BANDS.keys())
        try:
            total = self._score({name: signs[name] for name in signs.keys() & BANDS.keys()})
        except ValueError as problem:
            return {"patient": patient, "error": str(problem)}
        return {"patient": patient, "score": total, "urgency": Urgency.of(total).name, "unknown": unknown}
