# pure
"""Keeps nothing: it reckons with the moments in the event only."""
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from graphbus_core import GraphBusNode, subscribe

DURATION = re.compile(r"(?:(?P<days>\d+)d)?(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m)?")
HOLIDAYS = {(1, 1), (5, 1), (12, 25), (12, 26)}
OPENING = {weekday: (8, 18) for weekday in range(5)} | {5: (9, 13)}


def parse_duration(text: str) -> timedelta:
    found = DURATION.fullmatch(text.strip())
    if not text.strip() or found is None:
        raise ValueError(f"duration {text!r}")
    return timedelta(**{unit: int(value or 0) for unit, value in found.groupdict().items()})


@dataclass(frozen=True)
class Window:
    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError("empty window")

    def overlaps(self, other: "Window") -> bool:
        return self.start < other.end and other.start < self.end

    @property
    def days(self) -> list[date]:
        count = (self.end.date() - self.start.date()).days
        return [self.start.date() + timedelta(days=offset) for offset in range(count + 1)]


def is_open(moment: datetime) -> bool:
    if (moment.month, moment.day) in HOLIDAYS or moment.weekday() not in OPENING:
        return False
    opens, closes = OPENING[moment.weekday()]
    return opens <= moment.hour < closes


class BookingWindow(GraphBusNode):
    @subscribe("/booking/asked")
    def on_booking(self, start: str, duration: str, taken: list[list[str]], offset: int = 0) -> dict[str, object]:
        zone = timezone(timedelta(hours=offset))
        try:
            begin = datetime.fromisoformat(start).replace(tzinfo=zone)
            window = Window(begin, begin + parse_duration(duration))
            others = [Window(*(datetime.fromisoformat(text).replace(tzinfo=zone) for text in pair)) for pair in taken]
        except ValueError as error:
            return {"ok": False, "reason": str(error)}
        if not (is_open(window.start) and is_open(window.end - timedelta(minutes=1))):
            return {"ok": False, "reason": "closed"}
        clash = next((other for other in others if window.overlaps(other)), None)
        if clash is not None:
            return {"ok": False, "reason": f"taken until {clash.end:%H:%M}"}
        return {"ok": True, "utc": window.start.astimezone(timezone.utc).isoformat(), "days": len(window.days)}
