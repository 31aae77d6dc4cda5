"""Clinical scoring tables."""
from dataclasses import dataclass, field
from enum import IntEnum


class Urgency(IntEnum):
    ROUTINE = 1
    SOON = 2
    URGENT = 3
    IMMEDIATE = 4


@dataclass(frozen=True)
class Band:
    low: float
    high: float
    points: int

    def covers(self, value: float) -> bool:
        return self.low <= value < self.high


NEWS = {
    "resp": (Band(0, 9, 3), Band(9, 12, 1), Band(12, 21, 0), Band(21, 25, 2), Band(25, 999, 3)),
    "spo2": (Band(0, 92, 3), Band(92, 94, 2), Band(94, 96, 1), Band(96, 101, 0)),
    "pulse": (Band(0, 41, 3), Band(41, 51, 1), Band(51, 91, 0), Band(91, 111, 1), Band(111, 131, 2), Band(131, 999, 3)),
}

WARDS = {
    "A": {"beds": ["A1", "A2", "A3", "A4"], "level": Urgency.ROUTINE},
    "B": {"beds": ["B1", "B2", "B3"], "level": Urgency.URGENT},
    "ICU": {"beds": ["I1", "I2"], "level": Urgency.IMMEDIATE},
}


@dataclass
class Chart:
    patient: str
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> "Chart":
        self.notes.append(text)
        return self


def points(kind: str, value: float) -> int:
    return next((b.points for b in NEWS[kind] if b.covers(value)), 0)
