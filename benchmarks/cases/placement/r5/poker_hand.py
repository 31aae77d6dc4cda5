# pure
"""Keeps nothing: a hand is ranked from its own five cards."""
from collections import Counter
from enum import IntEnum, auto
from functools import total_ordering

from graphbus_core import GraphBusNode, subscribe


class Rank(IntEnum):
    HIGH_CARD = auto()
    PAIR = auto()
    TWO_PAIRS = auto()
    THREE = auto()
    STRAIGHT = auto()
    FLUSH = auto()
    FULL_HOUSE = auto()
    FOUR = auto()
    STRAIGHT_FLUSH = auto()


BY_SHAPE = {
    (4, 1): Rank.FOUR, (3, 2): Rank.FULL_HOUSE, (3, 1, 1): Rank.THREE,
    (2, 2, 1): Rank.TWO_PAIRS, (2, 1, 1, 1): Rank.PAIR,
}


@total_ordering
class Hand:
    def __init__(self, cards: str) -> None:
        values = ["..23456789TJQKA".index(card[0]) for card in cards.split()]
        suits = {card[1] for card in cards.split()}
        groups = sorted(Counter(values).items(), key=lambda item: (item[1], item[0]), reverse=True)
        self.values = tuple(value for value, _ in groups)
        straight = len(groups) == 5 and self.values[0] - self.values[4] == 4
        if self.values == (14, 5, 4, 3, 2):
            straight, self.values = True, (5, 4, 3, 2, 1)
        self.rank = BY_SHAPE.get(tuple(count for _, count in groups), Rank.HIGH_CARD)
        if straight or len(suits) == 1:
            both = straight and len(suits) == 1
            self.rank = Rank.STRAIGHT_FLUSH if both else Rank.STRAIGHT if straight else Rank.FLUSH

    def key(self) -> tuple:
        return self.rank, self.values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.key() == other.key()

    def __lt__(self, other: "Hand") -> bool:
        return self.key() < other.key()


class PokerHand(GraphBusNode):
    """Compares two hands of five cards, such as 'TS JS QS KS AS'."""

    @subscribe("/Poker/Showdown")
    def on_showdown(self, first: str, second: str) -> str:
        a, b = Hand(first), Hand(second)
        result = "split" if a == b else "first" if a > b else "second"
        return f"{result} ({a.rank.name} / {b.rank.name})"
