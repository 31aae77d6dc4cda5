import re
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

RECIPES = {
    "pancakes": {"flour": Fraction(250), "milk": Fraction(500), "egg": Fraction(2), "salt": Fraction(1, 2)},
    "fudge": {"sugar": Fraction(400), "butter": Fraction(100), "milk": Fraction(150)},
    "pesto": {"basil": Fraction(60), "walnut": Fraction(40), "cheese": Fraction(50)},
}
ALLERGENS = {"gluten": {"flour", "barley"}, "dairy": {"milk", "butter", "cheese"}, "nuts": {"walnut", "almond"}, "egg": {"egg"}}
_AMOUNT = re.compile(r"\s*(?:(\d+)\s+)?(\d+)/(\d+)\s*$|\s*(\d+)\s*$")


def amount(text):
    m = _AMOUNT.match(text)
    if not m:
        raise ValueError(text)
    whole, num, den, plain = m.groups()
    return Fraction(plain) if plain else int(whole or 0) + Fraction(int(num), int(den))


def pretty(value):
    whole, rest = divmod(value, 1)
    return " ".join(p for p in (str(whole) if whole else "", str(rest) if rest else "") if p) or "0"


class RecipeScaler(GraphBusNode):
    @subscribe("/Recipe/Scale")
    def scale(self, recipe: str, factor: str) -> dict:
        times = amount(factor)
        scaled = dict(RECIPES[recipe])
        for item in scaled:
            scaled[item] = pretty(scaled[item] * times)
        scaled["serves"] = pretty(4 * times)
        return scaled


class AllergenScan(GraphBusNode):
    @subscribe("/Recipe/Allergens")
    def scan(self, recipe: str, extra: list[str]) -> list[str]:
        inside = RECIPES.get(recipe, {}).keys() | set(extra)
        return sorted(name for name, items in ALLERGENS.items() if items & inside)
