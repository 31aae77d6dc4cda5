# pure
"""The iterator of stop words is made anew by the function for each call."""
import unicodedata
from collections import Counter
from itertools import chain
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

STOP = "the a an of and to in for on my is was i"
TOPICS = {
    "tenancy": {"landlord", "rent", "flat", "heating"},
    "labour": {"employer", "dismissal", "wages", "notice"},
    "traffic": {"police", "car", "fine", "licence"},
}


def fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if c.isalpha() or c.isspace()).lower()


def stop_words(extra: list[str]) -> Iterator[str]:
    return chain(STOP.split(), map(str.lower, extra))


class LegalTopics(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.topics = TOPICS

    @subscribe("/Legal/Request")
    def classify(self, text: str, ignore: list[str]) -> dict[str, object]:
        dropped = set(stop_words(ignore))
        words = Counter(w for w in fold(text).split() if w not in dropped)
        hits = {topic: sum(words[w] for w in sorted(vocabulary)) for topic, vocabulary in self.topics.items()}
        best = max(hits, key=lambda topic: (hits[topic], topic))
        return {
            "topic": best if hits[best] else "general",
            "hits": hits,
            "frequent": sorted(words, key=lambda w: (-words[w], w))[:3],
        }
