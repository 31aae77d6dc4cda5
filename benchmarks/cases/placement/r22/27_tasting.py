# pure
"""Works on the scores of one event alone; the running mean lives in a generator of that call."""
from collections.abc import Iterable, Iterator
from statistics import fmean, pstdev

from graphbus_core import GraphBusNode, subscribe

MEDALS = ((92, "gold"), (87, "silver"), (82, "bronze"))


def trimmed(scores: list[int]) -> list[int]:
    scores = sorted(scores)
    while len(scores) > 3:
        scores.pop(0)
        scores.pop()
    return scores


def running(scores: Iterable[int]) -> Iterator[float]:
    total = 0
    for seen, score in enumerate(scores, start=1):
        total += score
        yield round(total / seen, 2)


def medal(mean: float) -> str | None:
    for floor, name in MEDALS:
        if mean >= floor:
            return name
    return None


class Jury(GraphBusNode):
    @subscribe("/Scores")
    def on_scores(self, wine: str, scores: list[int]) -> dict[str, object]:
        kept = trimmed(scores)
        mean = fmean(kept)
        name, _, vintage = wine.rpartition(" ")
        return {
            "wine": name,
            "vintage": 2000 + int(vintage),
            "trend": list(running(scores)),
            "mean": round(mean, 1),
            "spread": round(pstdev(kept), 2),
            "medal": medal(mean),
        }
