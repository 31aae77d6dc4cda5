"""Minutes of the day and the spans between them."""
from __future__ import annotations

from dataclasses import dataclass, replace

OPENING = {"weekday": (480, 1080), "weekend": (600, 840)}


def to_minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def to_clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@dataclass(frozen=True)
class Span:
    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> Span:
        first, last = text.split("-")
        return cls(to_minutes(first), to_minutes(last))

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def moved(self, minutes: int) -> Span:
        return replace(self, start=self.start + minutes, end=self.end + minutes)

    def __str__(self) -> str:
        return f"{to_clock(self.start)}-{to_clock(self.end)}"
