# pure
"""Keeps nothing: dates come from the event itself, and no attribute is written after the constructor."""
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from graphbus_core import GraphBusNode, subscribe

SEASON = {12: 150, 1: 150, 7: 180, 8: 180}


@dataclass(frozen=True, order=True)
class Stay:
    first: date
    last: date
    guest: str

    @classmethod
    def parse(cls, text: str) -> "Stay":
        guest, start, nights = text.split("/")
        first = date.fromisoformat(start)
        return cls(first, first + timedelta(days=int(nights)), guest.strip())

    def overlaps(self, other: "Stay") -> bool:
        return self.first < other.last and other.first < self.last


class BookingOverlaps(GraphBusNode):
    """Checks a hotel room's calendar and prices the stays."""

    def __init__(self, base_rate: int = 90, gap_days: int = 1) -> None:
        super().__init__()
        self.base_rate = base_rate
        self.gap = timedelta(days=gap_days)

    def _price(self, stay: Stay) -> int:
        nights = (stay.last - stay.first).days
        days = (stay.first + timedelta(days=i) for i in range(nights))
        return sum(self.base_rate * SEASON.get(day.month, 100) // 100 for day in days)

    @subscribe("/Rooms/Calendar")
    def on_calendar(self, room: int, stays: list[str]) -> dict[str, object]:
        try:
            parsed = sorted(map(Stay.parse, stays))
        except ValueError:
            return {"room": room, "error": "calendar"}
        cleaned = [replace(stay, last=stay.last + self.gap) for stay in parsed]
        clashes = [(a.guest, b.guest) for a, b in pairwise(cleaned) if a.overlaps(b)]
        return {"room": room, "clashes": clashes, "prices": {s.guest: self._price(s) for s in parsed}}
