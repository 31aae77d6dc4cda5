# pure
"""Dispatches to methods by name on a scorer made for each bout."""
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Card:
    red: int = 0
    blue: int = 0
    warnings: int = 0


class Scorer:
    values = {"jab": 1, "hook": 2, "uppercut": 3}

    def __init__(self, strictness: int) -> None:
        self.card = Card()
        self.strictness = strictness

    def apply(self, text: str) -> None:
        move, _, corner = text.partition(":")
        getattr(self, f"_{move}", self._hit)(move, corner)

    def _hit(self, move: str, corner: str) -> None:
        setattr(self.card, corner, getattr(self.card, corner) + self.values.get(move, 0))

    def _foul(self, move: str, corner: str) -> None:
        self.card.warnings += 1
        setattr(self.card, corner, getattr(self.card, corner) - self.strictness)


def verdict(red: int, blue: int) -> str:
    if red == blue:
        return "draw"
    return "red" if red > blue else "blue"


class Ringside(GraphBusNode):
    @subscribe("/Bout")
    def on_bout(self, events: list[str], judges: int) -> dict[str, object]:
        cards = []
        for judge in range(judges):
            scorer = Scorer(strictness=judge + 1)
            for event in events:
                scorer.apply(event)
            cards.append(scorer.card)
        winners = [verdict(card.red, card.blue) for card in cards]
        return {"cards": [asdict(card) for card in cards], "winner": max(sorted(set(winners)), key=winners.count)}
