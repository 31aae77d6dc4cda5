# stateful
from graphbus_core import GraphBusNode, subscribe


class Basket:
    _only = None

    def __new__(cls):
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._only.items = {}
        return cls._only

    def put(self, name, pieces):
        self.items[name] = self.items.get(name, 0) + pieces

    @property
    def pieces(self):
        return sum(self.items.values())


class FairBasket(GraphBusNode):
    @subscribe("/Fair/Picked")
    def on_picked(self, payload):
        basket = Basket()
        for name, pieces in payload["picked"].items():
            basket.put(name, pieces)
        self.publish("/Fair/Basket", {"pieces": basket.pieces})
