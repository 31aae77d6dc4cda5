# pure
"""The styles are immutable objects, and the words of a headline go through them one by one."""
from dataclasses import dataclass, replace
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    first: bool = False
    last: bool = False


class Style(Protocol):
    def apply(self, word: Word) -> Word: ...


@dataclass(frozen=True, slots=True)
class TitleCase:
    small: frozenset[str] = frozenset({"a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to"})

    def apply(self, word: Word) -> Word:
        lowered = word.text.lower()
        if lowered in self.small and not (word.first or word.last):
            return replace(word, text=lowered)
        return replace(word, text=word.text[:1].upper() + word.text[1:])


@dataclass(frozen=True, slots=True)
class Acronyms:
    known: tuple[str, ...] = ("EU", "UN", "VAT", "FC")

    def apply(self, word: Word) -> Word:
        upper = word.text.upper()
        return replace(word, text=upper) if upper in self.known else word


@dataclass(frozen=True, slots=True)
class HouseStyle:
    steps: tuple[Style, ...]

    def headline(self, text: str) -> str:
        raw = text.split()
        words = [Word(part, place == 0, place == len(raw) - 1) for place, part in enumerate(raw)]
        for step in self.steps:
            words = [step.apply(word) for word in words]
        return " ".join(word.text for word in words)


PRINT = HouseStyle((TitleCase(), Acronyms()))
ONLINE = HouseStyle((Acronyms(),))


class HeadlineCaser(GraphBusNode):
    @subscribe("/Paper/RawHeadlines")
    def on_headline(self, text: str, channel: str) -> dict[str, object]:
        house = PRINT if channel == "print" else ONLINE
        line = house.headline(text)
        return {"channel": channel, "headline": line, "fits": len(line) <= 32}

    @subscribe("/Paper/Kickers")
    def on_kicker(self, text: str) -> dict[str, object]:
        return {"kicker": ONLINE.headline(text.lower()) + ":", "words": len(text.split())}
