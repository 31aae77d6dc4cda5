# stateful
"""The places are an iterator on the module level; zip takes from it, and from one event to the next it is further on."""
from itertools import product, starmap

from graphbus_core import GraphBusNode, subscribe

ROOMS = ("red", "blue", "green")
PLACES = starmap("{}-{:02d}".format, product(ROOMS, range(1, 41)))


def extra_time(candidates):
    for c in candidates:
        yield c.rstrip("*"), 30 if c.endswith("*") else 0


def allot(candidates):
    for (name, extra), place in zip(extra_time(candidates), PLACES):
        yield {"name": name, "place": place, "minutes": 90 + extra}


class Seating(GraphBusNode):
    @subscribe("/Exam/Registered")
    def on_registered(self, course: str, candidates: list[str]) -> dict:
        cards = list(allot(sorted(candidates)))
        return {
            "course": course,
            "cards": cards,
            "longest": max((card["minutes"] for card in cards), default=0),
        }
