# stateful
"""The default argument is a cycle made when the function was defined, and every shift takes its next members from it."""
from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import cycle, islice

from graphbus_core import GraphBusNode, subscribe

NURSES = ("Agnes", "Boris", "Carla", "Deniz", "Elif", "Femke", "Goran")
NEEDED = {"early": 3, "late": 2, "night": 1}
HOURS = {"early": ("06:30", "14:30"), "late": ("14:00", "22:00"), "night": ("21:45", "06:45")}


def team(shift: str, weekend: bool, pool: Iterator[str] = cycle(NURSES)) -> list[str]:
    size = NEEDED[shift] - (1 if weekend and shift == "early" else 0)
    return list(islice(pool, size))


def shift_bounds(day: date, shift: str) -> str:
    start, end = HOURS[shift]
    last = day + timedelta(days=1) if end < start else day
    return f"{day:%d.%m.} {start} - {last:%d.%m.} {end}"


class Rota(GraphBusNode):
    @subscribe("/Ward/Shift")
    def on_shift(self, day: str, shift: str) -> dict[str, object]:
        when = date.fromisoformat(day)
        if shift not in NEEDED:
            return {"error": f"no shift called {shift}"}
        people = team(shift, when.weekday() >= 5)
        return {
            "bounds": shift_bounds(when, shift),
            "lead": people[0],
            "team": people,
        }

    @subscribe("/Ward/Hours")
    def on_hours(self, day: str, shifts: list[str]) -> dict[str, object]:
        when = date.fromisoformat(day)
        known = [shift for shift in shifts if shift in HOURS]
        surcharge = 25 if when.weekday() >= 5 else 0
        lines = [f"{shift_bounds(when, shift)}{f' +{surcharge}%' if surcharge else ''}" for shift in known]
        return {"lines": lines, "unknown": sorted(set(shifts) - set(known))}
