from __future__ import annotations

from operator import itemgetter

_ROOMS = [
    ("gym", 60, {"sport"}),
    ("lab1", 24, {"chem", "bio"}),
    ("aula", 120, {"music", "sport"}),
    ("r12", 30, set()),
    ("r14", 30, set()),
    ("lab2", 20, {"chem"}),
]


def ranked(by: str) -> list[tuple]:
    key = {"name": itemgetter(0), "seats": itemgetter(1), "gear": lambda r: -len(r[2])}[by]
    rooms = _ROOMS
    rooms.sort(key=key)
    return rooms


def candidates(seats: int, gear: str) -> list[tuple]:
    return [r for r in _ROOMS if r[1] >= seats and (not gear or gear in r[2])]
