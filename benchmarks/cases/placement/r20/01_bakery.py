# stateful
"""Works out the dough for an order; the recipe table is updated in place by special wishes and so keeps them."""
from decimal import Decimal, ROUND_HALF_UP

from graphbus_core import GraphBusNode, subscribe

BASE_RECIPES = {
    "rye": {"flour": 600, "water": 420, "salt": 12, "starter": 150},
    "white": {"flour": 700, "water": 460, "salt": 14, "yeast": 8},
    "spelt": {"flour": 650, "water": 400, "salt": 12, "honey": 20},
}

PRICE_PER_KG = {"flour": Decimal("0.92"), "salt": Decimal("0.40"), "honey": Decimal("9.80"), "yeast": Decimal("5.10")}
CENT = Decimal("0.01")


def recipe_for(bread: str, wishes: dict[str, int]) -> dict[str, int]:
    """The standard recipe with the customer's own amounts on top."""
    recipe = BASE_RECIPES.get(bread) or BASE_RECIPES["white"]
    recipe.update({name: grams for name, grams in wishes.items() if grams >= 0})
    return recipe


def scaled(recipe: dict[str, int], loaves: int) -> dict[str, int]:
    return {name: grams * loaves for name, grams in sorted(recipe.items()) if grams}


def cost(amounts: dict[str, int]) -> Decimal:
    total = sum((PRICE_PER_KG.get(n, Decimal(0)) * g / 1000 for n, g in amounts.items()), Decimal(0))
    return total.quantize(CENT, rounding=ROUND_HALF_UP)


class DoughPlanner(GraphBusNode):
    """Turns an order line into the ingredients that go into the mixer."""

    def __init__(self) -> None:
        super().__init__()
        self.bowl_limit = 40_000

    @subscribe("/Bakery/Order")
    def on_order(self, bread: str, loaves: int, wishes: dict[str, int]) -> dict[str, object]:
        amounts = scaled(recipe_for(bread.lower().strip(), wishes), max(1, loaves))
        weight = sum(amounts.values())
        bowls = -(-weight // self.bowl_limit)
        return {"amounts": amounts, "weight": weight, "bowls": bowls, "cost": str(cost(amounts))}
