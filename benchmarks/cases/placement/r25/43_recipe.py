# pure
"""Keeps a table of densities and scales each recipe afresh."""
from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

DENSITY = {"flour": Fraction(53, 100), "sugar": Fraction(85, 100), "milk": Fraction(103, 100)}
ML = {"cup": 240, "tbsp": 15, "tsp": 5}


@dataclass(frozen=True)
class Ingredient:
    name: str
    amount: Fraction
    unit: str

    def scaled(self, factor: Fraction) -> Ingredient:
        return Ingredient(self.name, self.amount * factor, self.unit)

    def grams(self) -> int | None:
        if self.unit not in ML or self.name not in DENSITY:
            return None
        return round(self.amount * ML[self.unit] * DENSITY[self.name])


@dataclass
class Recipe:
    serves: int
    parts: list[Ingredient] = field(default_factory=list)

    def for_guests(self, guests: int) -> Recipe:
        factor = Fraction(max(guests, 1), self.serves)
        return Recipe(guests, [p.scaled(factor) for p in self.parts])


PANCAKES = Recipe(4, [
    Ingredient("flour", Fraction(3, 2), "cup"),
    Ingredient("milk", Fraction(5, 4), "cup"),
    Ingredient("sugar", Fraction(1), "tbsp"),
    Ingredient("egg", Fraction(2), "piece"),
])


class Kitchen(GraphBusNode):
    @subscribe("/kitchen/pancakes")
    def scale(self, guests: int) -> dict[str, str]:
        recipe = PANCAKES.for_guests(guests)
        out = {}
        for part in recipe.parts:
            grams = part.grams()
            out[part.name] = f"{grams} g" if grams is not None else f"{part.amount} {part.unit}"
        return out
