from collections import defaultdict
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

from cookbook import ALLERGENS, RECIPES, Allergen, scaled

low = defaultdict(int)


class Shopping(GraphBusNode):
    """Shopping list of one dish."""

    @subscribe("/Store/Shopping")
    def shopping(self, dish: str, covers: int) -> dict:
        need = scaled(dish, covers)
        return {
            "list": {k: str(v) for k, v in sorted(need.items())},
            "check shelf": [k for k in sorted(need) if k in low],
        }


class Shelf(GraphBusNode):
    @subscribe("/Store/Shelf")
    def look(self, item: str) -> str:
        if low[item] > 0:
            return "running low"
        return "fine"


class AllergyCard(GraphBusNode):
    @subscribe("/Store/Allergy")
    def card(self, dish: str, avoid: list[str]) -> dict:
        inside = Allergen.NONE
        for item in RECIPES[dish]:
            inside |= ALLERGENS.get(item, Allergen.NONE)
        wanted = Allergen.NONE
        for name in avoid:
            wanted |= Allergen[name.upper()]
        hit = inside & wanted
        return {
            "safe": not hit,
            "because": [a.name.lower() for a in Allergen if a & hit and a is not Allergen.NONE],
        }


class Scaler(GraphBusNode):
    def __init__(self):
        self.cups = Fraction(0)

    @subscribe("/Store/Scale")
    def scale(self, dish: str, covers: int) -> str:
        self.cups = Fraction(0)
        for amount in scaled(dish, covers).values():
            self.cups += amount
        whole, rest = divmod(self.cups, 1)
        return f"{whole} {rest}" if rest else str(whole)
