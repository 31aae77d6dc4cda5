# stateful
"""The cached property is worked out for the first day that was asked and then stays for all the others."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Timetable:
    first, last, every = 300, 1380, 20

    def __init__(self) -> None:
        self.day = "mon"

    @cached_property
    def departures(self) -> list[int]:
        return list(range(self.first, self.last, self.every))

    def next_after(self, minute: int) -> int | None:
        return next((d for d in self.departures if d >= minute), None)


class WeekTimetable(Timetable):
    @cached_property
    def departures(self) -> list[int]:
        if self.day in ("sat", "sun"):
            return list(range(self.first + 60, self.last, self.every * 2))
        return list(range(self.first, self.last, self.every))


class ConnectionFinder(GraphBusNode):
    walking = 4

    def __init__(self) -> None:
        super().__init__()
        self.timetable = WeekTimetable()

    @subscribe("/Passenger/Connection")
    def on_request(self, day: str, arrival: int) -> dict:
        self.timetable.day = day.lower()[:3]
        departure = self.timetable.next_after(arrival + self.walking)
        if departure is None:
            return {"found": False}
        return {"found": True, "departure": departure, "wait": departure - arrival}
