"""Departure board of one bus stop."""
import bisect
from typing import NamedTuple


class Departure(NamedTuple):
    time: str  # "HH:MM"
    line: str
    to: str


class Board:
    def __init__(self, stop):
        self.stop = stop
        self.departures = []

    def add(self, time, line, to):
        bisect.insort(self.departures, Departure(time, line, to))

    def listing(self):
        rows = [f"{d.time}  {d.line:>3}  {d.to}" for d in self.departures]
        return "\n".join([self.stop] + rows)

    def lines(self):
        """The lines that stop here."""
        return sorted({d.line for d in self.departures})

    def next_after(self, time):
        """The first departure later than `time`, or None for the day's end."""
        at = bisect.bisect_right(self.departures, time, key=lambda d: d.time)
        return self.departures[at] if at < len(self.departures) else None

    def __len__(self):
        return len(self.departures)
