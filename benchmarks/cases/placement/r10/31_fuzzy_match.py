# pure
"""Keeps only a cache of a function whose result depends on its arguments alone."""
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

CATALOGUE = (
    "cordless drill", "hammer drill", "drill press", "jigsaw", "circular saw",
    "band saw", "belt sander", "orbital sander", "heat gun", "angle grinder",
)


class Match(NamedTuple):
    distance: int
    name: str


@lru_cache(maxsize=10_000)
def distance(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    previous = list(range(len(right) + 1))
    for row, a in enumerate(left, 1):
        current = [row]
        for column, b in enumerate(right, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (a != b)))
        previous = current
    return previous[-1]


@lru_cache(maxsize=None)
def words(name: str) -> tuple[str, ...]:
    return tuple(sorted(name.split()))


def score(query: Sequence[str], name: str) -> int:
    return sum(min(distance(word, other) for other in words(name)) for word in query)


def candidates(query: str, limit: int) -> list[Match]:
    parts = tuple(query.lower().split())
    ranked = sorted(Match(score(parts, name), name) for name in CATALOGUE)
    return [match for match in ranked[:limit] if match.distance <= 2 * len(parts)]


class FuzzySearch(GraphBusNode):
    @subscribe("/catalogue/search")
    def on_search(self, query: str, limit: int = 3) -> dict[str, object]:
        if not query.strip():
            return {"query": query, "matches": []}
        found = candidates(query, max(1, min(limit, 10)))
        exact = bool(found) and found[0].distance == 0
        return {"query": query, "exact": exact, "matches": [match.name for match in found]}
