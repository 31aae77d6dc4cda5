from graphbus_core import GraphBusNode, subscribe

from menu import recipe


class Kitchen(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Restaurant/Order/Placed")
    def cook(self, dish: str, without: list, extra: dict) -> dict:
        wanted = recipe(dish)
        for thing in without:
            wanted.pop(thing, None)
        for thing, grams in extra.items():
            wanted[thing] = wanted.get(thing, 0) + grams
        return {"ticket": [f"{g} g {t}" for t, g in sorted(wanted.items())]}
