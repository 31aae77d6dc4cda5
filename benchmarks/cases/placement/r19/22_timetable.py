# pure
"""The counters in the closures are made anew in every call of the handler."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe


def clock(start: str) -> Callable[[int], str]:
    hours, minutes = map(int, start.split(":"))
    elapsed = hours * 60 + minutes

    def advance(by: int) -> str:
        nonlocal elapsed
        elapsed += by
        return f"{elapsed // 60 % 24:02d}:{elapsed % 60:02d}"

    return advance


def numbered() -> Callable[[str], str]:
    number = 0

    def line(text: str) -> str:
        nonlocal number
        number += 1
        return f"{number:>2}. {text}"

    return line


def dwell(stop: str) -> int:
    return 4 if stop.endswith("Hbf") else 1


def timetable(start: str, stops: list[str], running: int) -> list[str]:
    advance, line = clock(start), numbered()
    rows = [line(f"{stops[0]:<14} dep {advance(0)}")]
    for stop in stops[1:-1]:
        arrival = advance(running)
        rows.append(line(f"{stop:<14} arr {arrival} dep {advance(dwell(stop))}"))
    rows.append(line(f"{stops[-1]:<14} arr {advance(running)}"))
    return rows


class TimetablePrinter(GraphBusNode):
    @subscribe("/Rail/Courses")
    def on_course(self, start: str, stops: list[str], running: int) -> dict[str, object]:
        if len(stops) < 2:
            return {"rows": [], "error": "a course needs two stops"}
        return {"rows": timetable(start, stops, running), "error": ""}
