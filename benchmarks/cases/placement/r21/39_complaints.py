# stateful
"""Keeps keys already met in a generator of unique complaints, which is fed through a queue."""
from collections import deque
from itertools import filterfalse
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe

Complaint = tuple[str, str]


def drain(queue: deque[Complaint]) -> Iterator[Complaint | None]:
    while True:
        yield queue.popleft() if queue else None


def unique(source: Iterable[Complaint | None]) -> Iterator[Complaint | None]:
    met: set[Complaint | None] = {None}
    for item in source:
        yield item if item not in met else None
        met.add(item)


def normal(text: str) -> str:
    words = filterfalse({"the", "a", "at", "in"}.__contains__, text.lower().split())
    return " ".join(words)


class Complaints(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.inbox: deque[Complaint] = deque()
        self.pipeline = unique(drain(self.inbox))

    @subscribe("/Citizen/Complaint")
    def on_complaint(self, place: str, text: str) -> dict[str, str]:
        self.inbox.append((normal(place), normal(text)))
        match next(self.pipeline):
            case None:
                return {"place": place, "action": "already recorded"}
            case (where, what) if "light" in what or "lamp" in what:
                return {"place": where, "action": "works department"}
            case (where, _):
                return {"place": where, "action": "read by clerk"}
