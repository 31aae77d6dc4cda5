# pure
"""Keeps nothing that wears out: the house numbers are a class that gives a new iterator each time."""
from itertools import chain, filterfalse
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


class Numbers:
    def __init__(self, first: int, last: int, *gaps: int) -> None:
        self.first, self.last, self.gaps = first, last, frozenset(gaps)

    def __iter__(self) -> Iterator[int]:
        return filterfalse(self.gaps.__contains__, range(self.first, self.last + 1, 2))


WARDS = {
    "Riverside": {"canal walk": (Numbers(1, 59, 13), Numbers(2, 20)), "mill lane": (Numbers(1, 31),)},
    "Old Town": {"canal walk": (Numbers(22, 60),), "church street": (Numbers(1, 99, 51, 53), Numbers(2, 98))},
    "Heights": {"mill lane": (Numbers(2, 44, 8),), "hill road": (Numbers(1, 15), Numbers(2, 16))},
}


def candidates(street: str, number: int) -> Iterator[str]:
    for ward, streets in WARDS.items():
        if number in chain.from_iterable(streets.get(street, ())):
            yield ward


def houses(ward: str) -> int:
    return sum(1 for sides in WARDS[ward].values() for _ in chain.from_iterable(sides))


class Wards(GraphBusNode):
    @subscribe("/Voter/Moved")
    def on_moved(self, voter: str, street: str, number: int) -> dict[str, object]:
        ward = next(candidates(street.casefold(), number), None)
        if ward is None:
            return {"voter": voter, "ward": None, "station": "town hall"}
        station = "school" if houses(ward) > 60 else "library"
        return {"voter": voter, "ward": ward, "station": station}
