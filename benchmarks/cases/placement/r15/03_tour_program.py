# pure
"""Keeps nothing: the template is copied deeply before it is filled in."""
import copy
import textwrap
from dataclasses import dataclass, field
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Day:
    city: str
    stops: list[str] = field(default_factory=list)


@dataclass
class Tour:
    title: str
    days: list[Day]
    extras: dict[str, list[str]] = field(default_factory=dict)

    def insert(self, at: int, stop: str) -> None:
        day = self.days[at % len(self.days)]
        if stop in day.stops:
            day.stops.remove(stop)
        day.stops.insert(0, stop)
        self.extras.setdefault(day.city, []).append(stop)


TEMPLATE = Tour(
    "Classic",
    [Day("Vienna", ["opera", "museum"]), Day("Prague", ["bridge"]), Day("Dresden", ["gallery", "river"])],
    {"Prague": []},
)


def lay_out(tour: Tour, start: date) -> str:
    lines = []
    for offset, day in enumerate(tour.days):
        when = start + timedelta(days=offset)
        text = f"{when:%a %d %b} {day.city}: {', '.join(day.stops)}"
        lines.append(textwrap.fill(text, width=36, subsequent_indent="  "))
    return "\n".join(lines)


class TourProgram(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._template = TEMPLATE

    @subscribe("/Travel/Booked")
    def on_booked(self, guest: str, start: str, wishes: list[str]) -> dict[str, object]:
        tour = copy.deepcopy(self._template)
        tour.title += f" for {guest.title()}"
        for number, wish in enumerate(wishes):
            tour.insert(number, wish.lower())
        if len(wishes) > 3:
            tour.days.reverse()
        return {
            "title": tour.title,
            "program": lay_out(tour, date.fromisoformat(start)),
            "extras": {city: stops for city, stops in sorted(tour.extras.items()) if stops},
        }
