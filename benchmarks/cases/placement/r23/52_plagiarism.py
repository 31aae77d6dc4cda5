# pure
"""The stop words are a frozen set and the shingles are made anew for each pair of texts."""
import re
from itertools import islice, tee

from graphbus_core import GraphBusNode, subscribe

STOP = frozenset(word for line in ("the a an of to in", "and or but is are was", "that this it") for word in line.split())


def words(text):
    return (w for w in re.findall(r"[a-z']+", text.lower()) if w not in STOP)


def shingles(tokens, n):
    copies = tee(tokens, n)
    return zip(*(islice(it, k, None) for k, it in enumerate(copies)))


def overlap(left, right):
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def first_common(tokens, shared):
    return next((" ".join(s) for s in tokens if s in shared), None)


class Plagiarism(GraphBusNode):
    width = 3

    def __init__(self) -> None:
        super().__init__()
        self.seen: set = set()

    @subscribe("/Essay/Compare")
    def on_compare(self, essay: str, source: str) -> dict:
        self.seen = set(shingles(words(essay), self.width))
        other = set(shingles(words(source), self.width))
        share = overlap(self.seen, other)
        return {
            "share": round(share, 3),
            "suspicious": share > 0.4,
            "example": first_common(shingles(words(essay), self.width), other),
        }
