from __future__ import annotations

from collections import ChainMap
from enum import Enum
from functools import lru_cache
from typing import NamedTuple


class Aspect(Enum):
    DANGER = "red"
    CAUTION = "yellow"
    CLEAR = "green"

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self.lit = 0


class Route(NamedTuple):
    name: str
    sections: tuple[str, ...]
    speed: int


ROUTES = {r.name: r for r in (
    Route("up-main", ("T1", "T2", "T3"), 100),
    Route("up-loop", ("T1", "T4"), 40),
    Route("down-main", ("T3", "T2", "T1"), 100),
    Route("yard", ("T4", "T5", "T6"), 15),
)}


class TrackSection:
    def __init__(self, ident: str) -> None:
        self.ident = ident
        self.train: str | None = None

    @property
    def clear(self) -> bool:
        return self.train is None


@lru_cache(maxsize=None)
def section(ident: str) -> TrackSection:
    return TrackSection(ident)


@lru_cache(maxsize=64)
def conflicts(name: str) -> frozenset[str]:
    mine = set(ROUTES[name].sections)
    return frozenset(o.name for o in ROUTES.values() if o.name != name and mine & set(o.sections))


SPEEDS = ChainMap({"T5": 10}, {"T4": 40, "T6": 20}, dict.fromkeys(("T1", "T2", "T3"), 120))
