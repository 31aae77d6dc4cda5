# stateful
"""The cached list of allergens is handed out itself, and callers extend it."""
from functools import cache

from graphbus_core import GraphBusNode, subscribe

CONTAINS = {
    "curry": ["rice", "coconut", "fish sauce"],
    "salad": ["lettuce", "egg", "mustard"],
    "cake": ["flour", "butter", "egg"],
}
ALLERGEN = {"fish sauce": "fish", "egg": "egg", "mustard": "mustard", "flour": "gluten", "butter": "milk"}


@cache
def allergens(dish):
    return [ALLERGEN[i] for i in CONTAINS.get(dish, ()) if i in ALLERGEN]


def footnotes(names):
    letters = "ABCDEFGHIJKLMNOP"
    order = ["gluten", "egg", "fish", "soy", "milk", "nuts", "mustard"]
    return "".join(letters[order.index(n)] for n in sorted(set(names), key=order.index))


class MenuCard(GraphBusNode):
    @subscribe("/menu/dish")
    def on_dish(self, dish: str, extra: list[str]) -> dict:
        names = allergens(dish)
        if extra:
            names += [e for e in extra if e not in names]
        return {
            "dish": dish.title(),
            "notes": footnotes(names),
            "count": len(names),
            "vegan": not {"egg", "fish", "milk"}.intersection(names),
        }
