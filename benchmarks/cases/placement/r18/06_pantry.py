# pure
"""Keeps nothing: the recipe is copied deeply before it is scaled, so the book stays as written."""
from __future__ import annotations

import copy
import re
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

BOOK = {
    "pancakes": {"serves": 4, "items": [{"what": "flour", "amount": "1 1/2 cup"}, {"what": "milk", "amount": "300 ml"},
                                        {"what": "egg", "amount": "2"}, {"what": "salt", "amount": "1/4 tsp"}]},
    "dal": {"serves": 6, "items": [{"what": "lentils", "amount": "2 cup"}, {"what": "ghee", "amount": "3 tbsp"},
                                   {"what": "cumin", "amount": "1 1/2 tsp"}]},
}
AMOUNT = re.compile(r"(?:(\d+)\s+)?(\d+)(?:/(\d+))?\s*([a-z]*)$")
SPOONS = [("cup", 48), ("tbsp", 3), ("tsp", 1)]
SIZE = dict(SPOONS)


def quantity(text: str) -> tuple[Fraction, str]:
    whole, top, bottom, unit = AMOUNT.match(text).groups()
    return int(whole or 0) + Fraction(int(top), int(bottom or 1)), unit


def mixed(value: Fraction) -> str:
    whole, rest = divmod(value.limit_denominator(8), 1)
    return " ".join(filter(None, (str(whole) if whole else "", str(rest) if rest else ""))) or "0"


def pretty(value: Fraction, unit: str) -> str:
    if unit in SIZE:
        spoons = value * SIZE[unit]
        unit, size = next(((u, s) for u, s in SPOONS if spoons >= Fraction(s, 4)), SPOONS[-1])
        value = spoons / size
    return f"{mixed(value)} {unit}".strip()


def scale(recipe: dict, serves: int) -> dict:
    factor = Fraction(serves, recipe["serves"])
    recipe["serves"] = serves
    for item in recipe["items"]:
        value, unit = quantity(item["amount"])
        item["amount"] = pretty(value * factor, unit)
    return recipe


class Pantry(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.book = BOOK

    @subscribe("/Kitchen/Menu")
    def on_menu(self, dish: str, guests: int, without: list[str]) -> dict[str, object]:
        if dish not in self.book:
            return {"error": f"no recipe for {dish}"}
        recipe = scale(copy.deepcopy(self.book[dish]), max(guests, 1))
        recipe["items"] = [item for item in recipe["items"] if item["what"] not in without]
        return {"dish": dish, "list": [f"{item['amount']} {item['what']}" for item in recipe["items"]]}
