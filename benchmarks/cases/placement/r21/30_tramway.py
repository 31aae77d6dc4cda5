# pure
"""Keeps nothing: neighbouring readings are compared only within the journey of the event."""
from itertools import compress, pairwise, tee
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

TIMETABLE = {"1": (0, 120, 270, 360, 540), "4": (0, 90, 240, 300)}
STOPS = {"1": ("Depot", "Market", "Bridge", "Clinic", "Fair"), "4": ("Port", "Market", "Park", "Zoo")}


def delays(line: str, passed: list[int]) -> Iterator[int]:
    start = passed[0] if passed else 0
    for planned, actual in zip(TIMETABLE[line], passed):
        yield actual - start - planned


def growth(values: Iterator[int]) -> Iterator[int]:
    for before, after in pairwise(values):
        yield after - before


def worst(line: str, lost: Iterator[int], threshold: int) -> Iterator[str]:
    legs = (f"{a}-{b}" for a, b in pairwise(STOPS[line]))
    yield from compress(legs, (seconds >= threshold for seconds in lost))


class Tramway(GraphBusNode):
    tolerance = 45

    @subscribe("/Tram/JourneyEnded")
    def on_journey(self, line: str, passed: list[int]) -> dict[str, object]:
        if line not in TIMETABLE:
            return {"line": line, "error": "not a tram line"}
        late, again = tee(delays(line, passed))
        slow_legs = list(worst(line, growth(late), self.tolerance))
        *_, final = 0, *again
        return {"line": line, "final_delay": final, "slow_legs": slow_legs, "complete": len(passed) == len(STOPS[line])}
