# stateful
"""Keeps the last good value on the descriptor, where it outlives the items."""
from graphbus_core import GraphBusNode, subscribe


class Bounded:
    """A number within limits; something out of limits leaves it as it was."""

    def __init__(self, low, high, start):
        self.low = low
        self.high = high
        self.value = start

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return self.value

    def __set__(self, instance, value):
        if self.low <= value <= self.high:
            self.value = value


class Item:
    quantity = Bounded(0, 500, start=0)
    price = Bounded(1, 99_999, start=100)

    def __init__(self, sku, quantity, price):
        self.sku = sku
        self.quantity = quantity
        self.price = price

    def worth(self):
        return self.quantity * self.price


class StockTaking(GraphBusNode):

    def __init__(self):
        super().__init__()
        self.currency = "cent"

    @subscribe("/stock/counted")
    def counted(self, sku: str, quantity: int, cents: int) -> dict:
        item = Item(sku, quantity, cents)
        return {"sku": item.sku, "worth": item.worth(), "unit": self.currency}
