# pure
"""Works on sorted copies of the intervals in the event and on constant opening hours."""
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

OPENING = {
    "mon": [("08:00", "12:00"), ("13:00", "17:00")],
    "tue": [("08:00", "12:00"), ("14:00", "19:00")],
    "wed": [("08:00", "13:00")],
    "thu": [("08:00", "12:00"), ("13:00", "17:00")],
    "fri": [("09:00", "14:00")],
}


@dataclass(frozen=True, order=True)
class Span:
    start: int
    end: int

    @classmethod
    def of(cls, start: str, end: str) -> "Span":
        return cls(minutes(start), minutes(end))

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.end)}"


def minutes(text: str) -> int:
    hour, minute = map(int, text.split(":"))
    return hour * 60 + minute


def clock(total: int) -> str:
    return "%02d:%02d" % divmod(total, 60)


def merged(spans: Iterable[Span]) -> list[Span]:
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            last = result.pop()
            span = Span(last.start, max(last.end, span.end))
        result.append(span)
    return result


def gaps(opening: Span, busy: list[Span]) -> Iterator[Span]:
    cursor = opening.start
    for span in busy:
        if span.end <= cursor or span.start >= opening.end:
            continue
        if span.start > cursor:
            yield Span(cursor, span.start)
        cursor = max(cursor, span.end)
    if cursor < opening.end:
        yield Span(cursor, opening.end)


class Surgery(GraphBusNode):
    @subscribe("/calendar/free")
    def on_query(self, day: str, busy: list[list[str]], need: int) -> dict[str, object]:
        taken = merged(Span.of(*pair) for pair in busy)
        free = [gap for pair in OPENING.get(day.lower()[:3], []) for gap in gaps(Span.of(*pair), taken)]
        fitting = [str(gap) for gap in free if gap.end - gap.start >= need]
        return {"day": day, "free": fitting, "booked_minutes": sum(s.end - s.start for s in taken)}
