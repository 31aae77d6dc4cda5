"""Recipes, amounts for four covers."""
from enum import Flag, auto
from fractions import Fraction as F


class Allergen(Flag):
    NONE = 0
    GLUTEN = auto()
    MILK = auto()
    EGG = auto()
    NUTS = auto()


RECIPES = {
    "crepe": {"flour": F(1, 4), "milk": F(1, 2), "egg": F(3)},
    "pesto": {"basil": F(2), "pine nuts": F(1, 3), "parmesan": F(1, 2)},
    "omelette": {"egg": F(8), "milk": F(1, 8), "butter": F(1, 16)},
    "salad": {"lettuce": F(2), "walnuts": F(1, 4)},
}

ALLERGENS = {
    "flour": Allergen.GLUTEN,
    "milk": Allergen.MILK,
    "butter": Allergen.MILK,
    "parmesan": Allergen.MILK,
    "egg": Allergen.EGG,
    "pine nuts": Allergen.NUTS,
    "walnuts": Allergen.NUTS,
}


def scaled(dish: str, covers: int) -> dict:
    return {k: v * covers / 4 for k, v in RECIPES[dish].items()}
