from graphbus_core import GraphBusNode, subscribe

from . import find
from .units import Amount


class ShoppingNode(GraphBusNode):
    """One list of what to buy for several dishes."""

    @subscribe("/Shopping")
    def on_dishes(self, dishes: dict[str, int]) -> dict:
        need: dict[str, Amount] = {}
        unknown = []
        for dish, guests in sorted(dishes.items()):
            recipe = find(dish)
            if recipe is None:
                unknown.append(dish)
                continue
            for item, text in recipe.needs.items():
                amount = Amount.parse(text) * guests
                need[item] = need[item] + amount if item in need else amount
        return {"buy": {item: str(amount) for item, amount in sorted(need.items())}, "unknown": unknown}
