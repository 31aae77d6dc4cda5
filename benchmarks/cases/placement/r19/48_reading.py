# pure
"""Dataclasses with default factories that are made for one article and thrown away with it."""
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Meter(Protocol):
    def feed(self, word: str) -> None: ...

    def result(self) -> dict[str, object]: ...


@dataclass
class Duration:
    words: int = 0
    per_minute: int = 210

    def feed(self, word: str) -> None:
        self.words += 1

    def result(self) -> dict[str, object]:
        return {"minutes": max(1, round(self.words / self.per_minute)), "words": self.words}


@dataclass
class Topics:
    counts: dict[str, int] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset({"the", "and", "that", "with", "from", "have"})

    def feed(self, word: str) -> None:
        plain = word.strip(".,!?\"'").lower()
        if len(plain) > 3 and plain not in self.ignore:
            self.counts[plain] = self.counts.get(plain, 0) + 1

    def result(self) -> dict[str, object]:
        ranked = sorted(self.counts, key=lambda word: (-self.counts[word], word))
        return {"topics": ranked[:3]}


@dataclass
class Analysis:
    meters: list[Meter] = field(default_factory=lambda: [Duration(), Topics()])

    def run(self, text: str) -> dict[str, object]:
        merged: dict[str, object] = {}
        for word in text.split():
            for meter in self.meters:
                meter.feed(word)
        for meter in self.meters:
            merged |= meter.result()
        return merged


class ReadingTime(GraphBusNode):
    @subscribe("/Paper/Articles")
    def on_article(self, number: int, text: str, teaser: str) -> dict[str, object]:
        return {"number": number} | Analysis().run(f"{teaser} {text}")
