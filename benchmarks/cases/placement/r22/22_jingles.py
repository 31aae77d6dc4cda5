# stateful
"""Keeps the place in a cycle of jingles from slot to slot."""
from itertools import cycle

from graphbus_core import GraphBusNode, subscribe

SPOTS = ("bell", "fanfare", "whistle", "drum roll", "harp")
NEWS_MINUTES = frozenset({0, 30})


def slug(title: str) -> str:
    return "-".join(title.lower().split())


class Rotation:
    def __init__(self, spots: tuple[str, ...]) -> None:
        self.spots = spots
        self.pick = cycle(spots).__next__

    def for_minute(self, minute: int) -> str:
        if minute in NEWS_MINUTES:
            return "pips"
        return self.pick()


class Continuity(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rotation = Rotation(SPOTS)

    @subscribe("/Slot")
    def on_slot(self, minute: int, show: str) -> dict[str, str]:
        spot = self.rotation.for_minute(minute)
        return {"at": f"{minute:02d}", "file": f"{slug(show)}/{spot}.wav"}
