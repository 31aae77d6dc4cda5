# stateful
"""Keeps the last few recommended titles in a short deque so as not to repeat them at once."""
from collections import deque
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

NEIGHBOURS = {
    "salt": {"tide": 0.9, "harbour": 0.7, "drift": 0.4},
    "tide": {"salt": 0.9, "drift": 0.8, "harbour": 0.3},
    "orbit": {"apogee": 0.8, "drift": 0.5, "salt": 0.1},
}
EVERGREEN = ("planet", "kitchen")


def ranked(title: str) -> list[str]:
    scores = NEIGHBOURS.get(title, {})
    return sorted(scores, key=lambda other: (-scores[other], other)) + list(EVERGREEN)


def without_repeats(source: Callable[[str], list[str]], memory: int) -> Callable[[str, int], list[str]]:
    shown: deque[str] = deque(maxlen=memory)

    def fresh(title: str, wanted: int) -> list[str]:
        picks = [candidate for candidate in source(title) if candidate not in shown][:wanted]
        shown.extend(picks)
        return picks

    return fresh


recommend = without_repeats(ranked, memory=3)


class Recommend(GraphBusNode):
    @subscribe("/Player/Finished")
    def on_finished(self, title: str, slots: int) -> dict[str, object]:
        picks = recommend(title, max(1, slots))
        return {"after": title, "row": picks, "autoplay": picks[0] if picks else None}
