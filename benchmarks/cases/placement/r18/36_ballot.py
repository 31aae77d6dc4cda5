# stateful
"""The fold starts from a module-level Counter, and the folding function adds to its first argument in place."""
from __future__ import annotations

from collections import Counter
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

CANDIDATES = {"A": "Albers", "B": "Brandt", "C": "Celik", "D": "Dufour"}
NOBODY: Counter[str] = Counter()


def valid(paper: str) -> bool:
    marks = paper.upper().split(">")
    return len(marks) == len(set(marks)) and all(mark in CANDIDATES for mark in marks)


def tally(points: Counter[str], paper: str) -> Counter[str]:
    for place, mark in enumerate(paper.upper().split(">")):
        points[mark] += len(CANDIDATES) - place
    return points


def borda(papers: list[str]) -> Counter[str]:
    return reduce(tally, filter(valid, papers), NOBODY)


def standings(points: Counter[str]) -> list[str]:
    order = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    return [f"{place}. {CANDIDATES[mark]} ({score})" for place, (mark, score) in enumerate(order, start=1)]


class Ballot(GraphBusNode):
    @subscribe("/Election/Box")
    def on_box(self, precinct: str, papers: list[str]) -> dict[str, object]:
        points = borda(papers)
        return {
            "precinct": precinct.title(),
            "spoiled": sum(not valid(paper) for paper in papers),
            "standings": standings(points),
        }

    @subscribe("/Election/Check")
    def on_check(self, paper: str) -> dict[str, object]:
        marks = [mark.strip().upper() for mark in paper.split(">")]
        unknown = [mark for mark in marks if mark not in CANDIDATES]
        twice = sorted({mark for mark in marks if marks.count(mark) > 1})
        return {"valid": not unknown and not twice, "unknown": unknown, "twice": twice}
