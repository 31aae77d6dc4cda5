from collections import Counter

from graphbus_core import GraphBusNode, subscribe

from menu import recipe


class Purchasing(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.pack = {"pasta": 500, "egg": 360, "pecorino": 250, "tomato": 400}

    @subscribe("/Restaurant/Week/Planned")
    def order(self, plan: dict) -> dict:
        need = Counter()
        for dish, covers in plan.items():
            need += Counter({k: g * covers for k, g in recipe(dish).items()})
        return {"packs": {k: -(-g // self.pack.get(k, 1000)) for k, g in sorted(need.items())}}
