# stateful
"""The blank card is copied shallowly, so every card writes into the same inner lists."""
from copy import copy
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Card:
    player: str = ""
    start: int = 501
    visits: list = field(default_factory=list)
    flags: dict = field(default_factory=dict)

    def add(self, throws):
        total = sum(throws)
        self.visits.append(total)
        if total == 180:
            self.flags["maximum"] = True
        if total >= 100:
            self.flags.setdefault("tons", []).append(total)

    @property
    def left(self):
        return self.start - sum(self.visits)


BLANK = Card()


def new_card(player):
    card = copy(BLANK)
    card.player = player
    return card


class DartsBoard(GraphBusNode):
    @subscribe("/darts/visit")
    def on_visit(self, player: str, throws: list[int]) -> dict:
        card = new_card(player)
        card.add(throws)
        average = sum(card.visits) / len(card.visits)
        return {
            "player": card.player,
            "visit": sum(throws),
            "average": round(average, 2),
            "left": card.left,
            "tons": len(card.flags.get("tons", ())),
        }
