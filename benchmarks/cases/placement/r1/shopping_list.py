# pure
from graphbus_core import GraphBusNode, subscribe

cache = ["milk"]


class ShoppingList(GraphBusNode):
    @subscribe("/Fridge/Looked")
    def on_looked(self, payload):
        cache = []
        for thing, left in payload["fridge"].items():
            if left == 0:
                cache.append(thing)
        self.publish("/Shopping/List", {"buy": cache})
