# pure
"""Cart with dataclasses."""
from graphbus_core import GraphBusNode, subscribe
from dataclasses import asdict, dataclass, field


@dataclass
class Item:
    name: str
    cents: int
    n: int = 1

    @property
    def sum(self):
        return self.cents * self.n


@dataclass
class Cart:
    items: list = field(default_factory=list)
    notes: dict = field(default_factory=dict)

    def add(self, item):
        self.items.append(item)
        self.notes[item.name] = f"{item.n} pcs"


class CartNode(GraphBusNode):
    @subscribe("/In")
    def on_cart(self, event):
        cart = Cart()
        for row in event["items"]:
            cart.add(Item(*row))
        return {**asdict(cart), "total": sum(i.sum for i in cart.items)}
