# pure
"""A nonlocal rank belongs to a closure made within the call."""
from statistics import fmean

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {"pass": 4.0, "top": 6.0, "round": 1}


def ranker():
    rank = place = 0
    previous = None

    def rank_of(value: float) -> int:
        nonlocal rank, place, previous
        place += 1
        if value != previous:
            rank, previous = place, value
        return rank

    return rank_of


def options(extra: dict[str, float], base: dict[str, float] = DEFAULTS) -> dict[str, float]:
    return {**base, **extra}


def mean(marks: list[int], curve: float, opts: dict[str, float]) -> float:
    raw = fmean(marks) + curve if marks else 0.0
    return round(min(raw, opts["top"]), int(opts["round"]))


class Gradebook(GraphBusNode):
    @subscribe("/Class")
    def on_class(self, grades: dict[str, list[int]], curve: float) -> dict[str, object]:
        opts = options({"pass": 4.5} if curve else {})
        means = {name: mean(marks, curve, opts) for name, marks in grades.items()}
        rank_of = ranker()
        table = []
        for name, value in sorted(means.items(), key=lambda item: (-item[1], item[0])):
            table.append({"rank": rank_of(value), "name": name, "mean": value, "passed": value >= opts["pass"]})
        return {"table": table, "failed": sum(not row["passed"] for row in table)}
