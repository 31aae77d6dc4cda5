# stateful
"""Keeps which substances count as hazardous in the register of an abstract base class."""
from abc import ABC

from graphbus_core import GraphBusNode, subscribe


class Hazardous(ABC):
    """What has to stand behind a locked door."""


class Substance:
    def __init__(self, grams: float) -> None:
        self.grams = grams

    def shelf(self) -> str:
        if isinstance(self, Hazardous):
            return "locked" if self.grams < 500 else "bunker"
        return "open"


class Acetone(Substance):
    pass


class Saline(Substance):
    pass


class Phenol(Substance):
    pass


class Cyanide(Substance):
    pass


Hazardous.register(Cyanide)
KINDS = {kind.__name__.lower(): kind for kind in (Acetone, Saline, Phenol, Cyanide)}


def review(kind: type[Substance], phrases: list[str]) -> None:
    """H300 to H330 are the acute ones."""
    if any(phrase[:1] == "H" and phrase[1:].isdigit() and 300 <= int(phrase[1:]) <= 330 for phrase in phrases):
        Hazardous.register(kind)


class ReagentRules(GraphBusNode):
    @subscribe("/Lab/Delivered")
    def on_delivered(self, name: str, grams: float, phrases: list[str]) -> dict[str, str]:
        kind = KINDS.get(name.lower())
        if kind is None:
            return {"name": name, "shelf": "quarantine"}
        review(kind, phrases)
        return {"name": name, "shelf": kind(grams).shelf()}
