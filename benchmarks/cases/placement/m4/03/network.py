"""Static description of the line."""
from itertools import cycle
from typing import NamedTuple


class Station(NamedTuple):
    code: str
    km: float
    platforms: tuple[str, ...]


LINE = [
    Station("NBG", 0.0, ("1", "2", "3")),
    Station("FUE", 7.6, ("1", "4")),
    Station("ERL", 23.9, ("1", "2", "3", "4")),
    Station("BAM", 62.2, ("1", "2")),
]

BY_CODE = {s.code: s for s in LINE}
_rosters = {s.code: cycle(s.platforms) for s in LINE}


def free_platform(code: str) -> str:
    return next(_rosters[code])


def first_platform(code: str) -> str:
    return next(iter(BY_CODE[code].platforms))


def distance(a: str, b: str) -> float:
    return abs(BY_CODE[a].km - BY_CODE[b].km)
