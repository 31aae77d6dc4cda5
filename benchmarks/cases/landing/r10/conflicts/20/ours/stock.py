"""Quantities on the shelves."""


class Stock:
    def __init__(self, quantities, shelves=None):
        self.quantities = dict(quantities)
        self.shelves = dict(shelves or {})
        self.shipped = {}

    def take(self, sku, quantity):
        if quantity > self.quantities.get(sku, 0):
            raise ValueError(f"not enough {sku}")
        self.quantities[sku] -= quantity

    def count_shipped(self, sku, quantity):
        """For the yearly statistics."""
        self.shipped[sku] = self.shipped.get(sku, 0) + quantity
