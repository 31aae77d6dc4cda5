# pure
"""Counters and slices live within one marking."""
from itertools import accumulate, compress, count, islice, zip_longest

from graphbus_core import GraphBusNode, subscribe

KEYS = {"geo-1": "ABDCA", "geo-2": "CCBAD", "hist-1": "TFTTF"}


def normalise(answers):
    return (a.strip().upper()[:1] or "-" for a in answers)


def marks(key, answers):
    return [right == given for right, given in zip_longest(key, islice(answers, len(key)), fillvalue="-")]


def bonus(run):
    return run // 3


def longest_run(hits):
    return max(accumulate(hits, lambda run, hit: (run + 1) * hit, initial=0))


def wrong_numbers(hits):
    return list(compress(count(1), (not h for h in hits)))


class Quiz(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.keys = {name: tuple(key) for name, key in KEYS.items()}

    @subscribe("/Quiz/Submitted")
    def on_submitted(self, quiz: str, answers: list[str]) -> dict:
        key = self.keys.get(quiz)
        if key is None:
            return {"error": f"no quiz {quiz}"}
        hits = marks(key, normalise(answers))
        return {
            "points": sum(hits) + bonus(longest_run(hits)),
            "of": len(key) + bonus(len(key)),
            "repeat": wrong_numbers(hits),
        }
