# pure
"""Fills an hour from the fixed catalogue, with a heap made for that hour."""
import heapq
from itertools import count

from graphbus_core import GraphBusNode, subscribe

TRACKS = [
    {"title": "Blue Canal", "seconds": 212, "tempo": 74},
    {"title": "Ferris", "seconds": 184, "tempo": 128},
    {"title": "Rain", "seconds": 301, "tempo": 66},
    {"title": "Marchers", "seconds": 240, "tempo": 120},
    {"title": "Lantern", "seconds": 199, "tempo": 92},
    {"title": "Overpass", "seconds": 267, "tempo": 140},
]


def candidates(mood: str, skip: set[str]) -> list[tuple[int, int, dict]]:
    serial = count()
    sign = 1 if mood == "calm" else -1
    heap: list[tuple[int, int, dict]] = []
    for track in TRACKS:
        if track["title"] not in skip:
            heapq.heappush(heap, (sign * track["tempo"], next(serial), track))
    return heap


def clock(seconds: int) -> str:
    return "{}:{:02d}".format(*divmod(seconds, 60))


class Scheduler(GraphBusNode):
    @subscribe("/Hour")
    def on_hour(self, minutes: int, mood: str, skip: list[str]) -> dict[str, object]:
        left = minutes * 60
        heap = candidates(mood, set(skip))
        chosen: list[str] = []
        while heap:
            _, _, track = heapq.heappop(heap)
            if track["seconds"] <= left:
                left -= track["seconds"]
                chosen.append(track["title"])
        return {"tracks": chosen, "left": clock(left)}
