from graphbus_core import GraphBusNode, subscribe

from . import find
from .recipes import WISHES


class CookNode(GraphBusNode):
    """Writes the steps for the cook, with the guest's wishes at the end."""

    @subscribe("/Cook")
    def on_order(self, dish: str, wishes: list[str]) -> dict:
        recipe = find(dish)
        if recipe is None:
            return {"error": f"we do not cook {dish}"}
        steps = recipe.steps
        for wish in wishes:
            steps += WISHES.get(wish, [])
        return {"dish": recipe.name, "steps": [f"{i}. {s}" for i, s in enumerate(steps, 1)]}
