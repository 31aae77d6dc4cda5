# stateful
"""The allocator is a closure that remembers where it stopped in the list of platforms."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"1": 420, "2": 320, "3": 320, "4": 210, "5": 140}


def fits(length: int) -> Callable[[str], bool]:
    return lambda platform: LENGTHS[platform] >= length


def rotate(names: list[str], start: int) -> list[str]:
    return names[start:] + names[:start]


def make_allocator(names: list[str]) -> Callable[[int, str], str | None]:
    offset = 0

    def allocate(length: int, category: str) -> str | None:
        nonlocal offset
        if category == "ICE":
            return "1" if fits(length)("1") else None
        suitable = filter(fits(length), rotate(names, offset))
        chosen = next(suitable, None)
        if chosen is not None:
            offset = (names.index(chosen) + 1) % len(names)
        return chosen

    return allocate


allocate = make_allocator(["2", "3", "4", "5"])


class Dispatcher(GraphBusNode):
    @subscribe("/Rail/Approach")
    def on_approach(self, train: str, category: str, length: int) -> dict[str, object]:
        platform = allocate(length, category)
        if platform is None:
            return {"train": train, "signal": "halt", "platform": ""}
        return {"train": train, "signal": "proceed", "platform": platform}
