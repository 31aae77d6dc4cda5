# pure
"""The pattern is compiled late and kept, which changes no answer; the free slots come from the event's bookings."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Slot(NamedTuple):
    start: int
    end: int

    def __str__(self) -> str:
        return "-".join(f"{m // 60:02d}:{m % 60:02d}" for m in self)

    @property
    def minutes(self) -> int:
        return self.end - self.start


class Day:
    """Working hours of a practice; iterating gives the gaps between the bookings."""

    def __init__(self, opens: int, closes: int, taken: Iterable[Slot]) -> None:
        self.opens, self.closes = opens, closes
        self.taken = sorted(s for s in taken if s.minutes > 0)

    def _merged(self) -> Iterator[Slot]:
        yield Slot(0, self.opens)
        edge = self.opens
        for slot in self.taken:
            if slot.end > edge:
                yield Slot(max(slot.start, edge), slot.end)
                edge = slot.end
        yield Slot(max(edge, self.closes), 24 * 60)

    def __iter__(self) -> Iterator[Slot]:
        for before, after in pairwise(self._merged()):
            if after.start > before.end:
                yield Slot(before.end, after.start)


class FreeSlots(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(r"(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})")
        return self._pattern

    def _slots(self, texts: Iterable[str]) -> Iterator[Slot]:
        for text in texts:
            if found := self.pattern.fullmatch(text.strip()):
                h1, m1, h2, m2 = map(int, found.groups())
                yield Slot(h1 * 60 + m1, h2 * 60 + m2)

    @subscribe("/Practice/FreeSlots")
    def on_free(self, doctor: str, booked: list[str], minutes: int) -> dict[str, object]:
        day = Day(8 * 60, 17 * 60, self._slots(booked))
        fitting = [str(gap) for gap in day if gap.minutes >= minutes]
        return {"doctor": doctor, "free": fitting, "busy": not fitting}
