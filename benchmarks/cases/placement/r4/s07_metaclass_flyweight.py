# stateful
"""Books a sale on a till."""
from graphbus_core import GraphBusNode, subscribe


class _PerName(type):
    def __init__(cls, name, bases, body):
        super().__init__(name, bases, body)
        cls._made = {}

    def __call__(cls, name):
        try:
            return cls._made[name]
        except KeyError:
            return cls._made.setdefault(name, super().__call__(name))


class Till(metaclass=_PerName):
    def __init__(self, name):
        self.name = name
        self.cents = 0

    def book(self, cents):
        self.cents += cents
        return self.cents


class TillNode(GraphBusNode):
    @subscribe("/In")
    def on_sale(self, event):
        till = Till(event["till"])
        return {"till": till.name, "total": till.book(event["cents"])}
