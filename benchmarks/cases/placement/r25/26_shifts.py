# pure
"""Keeps nothing but the work rules; each card is added up by itself."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Span(NamedTuple):
    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> Span:
        a, _, b = text.partition("-")
        start, end = cls._minutes(a), cls._minutes(b)
        return cls(start, end if end >= start else end + 1440)

    @staticmethod
    def _minutes(text: str) -> int:
        h, _, m = text.strip().partition(":")
        return int(h) * 60 + int(m or 0)

    def night(self) -> int:
        return max(0, self.end - 1320)


@dataclass(frozen=True)
class Rules:
    daily: int = 480
    break_after: int = 360
    pause: int = 30


@dataclass
class Card:
    worked: int = 0
    night: int = 0

    def __iadd__(self, span: Span) -> Card:
        self.worked += span.end - span.start
        self.night += span.night()
        return self


class ShiftCards(GraphBusNode):
    rules = Rules()

    @subscribe("/hr/card")
    def on_card(self, spans: list[str]) -> dict[str, int]:
        card = Card()
        for text in spans:
            card += Span.parse(text)
        if card.worked > self.rules.break_after and len(spans) == 1:
            card.worked -= self.rules.pause
        return {"worked": card.worked, "night": card.night,
                "overtime": max(0, card.worked - self.rules.daily)}
