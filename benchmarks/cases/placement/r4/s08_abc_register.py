# stateful
"""Taxes an item by its kind."""
from graphbus_core import GraphBusNode, subscribe
from abc import ABC


class Exempt(ABC):
    """Kinds on which no tax is due."""


class Book:
    pass


class Food:
    pass


class Toy:
    pass


KINDS = {"book": Book, "food": Food, "toy": Toy}


class TaxSorter(GraphBusNode):
    @subscribe("/In")
    def on_item(self, event):
        kind = KINDS[event["kind"]]
        if event["exempt"]:
            Exempt.register(kind)
        rate = 0 if issubclass(kind, Exempt) else 20
        return {"kind": kind.__name__, "total": event["net"] * (100 + rate) // 100}
