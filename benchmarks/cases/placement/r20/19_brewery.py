# pure
"""Computes bitterness, colour and strength of a brew from its recipe alone."""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Addition(ABC):
    grams: float
    alpha: float

    def ibu(self, litres: float, gravity: float) -> float:
        return self.utilisation(gravity) * self.alpha * self.grams * 10 / litres

    @abstractmethod
    def utilisation(self, gravity: float) -> float: ...


@dataclass
class Kettle(Addition):
    minutes: int = 60

    def utilisation(self, gravity: float) -> float:
        bigness = 1.65 * 0.000125 ** (gravity - 1)
        return bigness * (1 - math.exp(-0.04 * self.minutes)) / 4.15


@dataclass
class FirstWort(Kettle):
    def utilisation(self, gravity: float) -> float:
        return super().utilisation(gravity) * 1.1


@dataclass
class DryHop(Addition):
    def utilisation(self, gravity: float) -> float:
        return 0.0


KINDS = {"kettle": Kettle, "first": FirstWort, "dry": DryHop}
COLOURS = [(3, "straw"), (6, "gold"), (12, "amber"), (20, "brown"), (math.inf, "black")]


def read_hop(text: str) -> Addition:
    kind, grams, alpha, *minutes = text.split(",")
    cls = KINDS[kind.strip()]
    extra = {"minutes": int(minutes[0])} if minutes and issubclass(cls, Kettle) else {}
    return cls(float(grams), float(alpha), **extra)


class BrewSheet(GraphBusNode):
    @subscribe("/Brewery/Recipe")
    def on_recipe(self, name: str, litres: float, malts: dict[str, list[float]], hops: list[str]) -> dict[str, object]:
        points = sum(kg * extract * 0.72 for kg, extract, _ in malts.values()) / litres
        gravity = 1 + points / 1000
        mcu = sum(kg * 2.205 * lovibond for kg, _, lovibond in malts.values()) / (litres / 3.785)
        srm = 1.4922 * mcu ** 0.6859 if mcu else 0.0
        ibu = sum(hop.ibu(litres, gravity) for hop in map(read_hop, hops))
        final = 1 + (gravity - 1) * 0.25
        return {
            "beer": name,
            "og": f"{gravity:.3f}",
            "abv": round((gravity - final) * 131.25, 1),
            "ibu": round(ibu, 1),
            "colour": next(label for limit, label in COLOURS if srm <= limit),
        }
