# pure
"""The list of problems is opened and closed around one event."""
from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from types import TracebackType
from typing import NamedTuple, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Entry(TypedDict):
    teacher: str
    room: str
    day: int
    start: int
    end: int


class Span(NamedTuple):
    day: int
    start: int
    end: int

    def __matmul__(self, other: Span) -> bool:
        """True when the two overlap."""
        return self.day == other.day and self.start < other.end and other.start < self.end


class BadEntry(Exception):
    pass


class Problems:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def __enter__(self) -> Problems:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> bool:
        if isinstance(error, BadEntry):
            self.texts.append(f"stopped: {error}")
            return True
        return False

    def __iadd__(self, text: str) -> Problems:
        self.texts.append(text)
        return self


def spans(entries: Iterable[Entry]) -> list[tuple[Entry, Span]]:
    result = []
    for place, e in enumerate(entries):
        if e["end"] <= e["start"]:
            raise BadEntry(f"entry {place} ends before it starts")
        result.append((e, Span(e["day"], e["start"], e["end"])))
    return result


class TimetableCheck(GraphBusNode):
    @subscribe("/School/Timetable")
    def on_timetable(self, form: str, entries: list[Entry]) -> dict[str, object]:
        with Problems() as problems:
            for (a, x), (b, y) in combinations(spans(entries), 2):
                if x @ y:
                    for what in ("teacher", "room"):
                        if a[what] == b[what]:  # type: ignore[literal-required]
                            problems += f"{what} {a[what]} twice on day {x.day}"  # type: ignore[literal-required]
        return {"form": form, "ok": not problems.texts, "problems": problems.texts}
