"""Baskets and orders."""


class Basket:
    def __init__(self, customer):
        self.customer = customer
        self.quantities = {}

    def add(self, sku, quantity=1):
        self.quantities[sku] = self.quantities.get(sku, 0) + quantity


class Shop:
    def __init__(self, bus):
        self.bus = bus
        self._last_number = 0

    def place(self, basket):
        """Place the order, tell the others and return its number."""
        if not basket.quantities:
            raise ValueError("empty basket")
        self._last_number += 1
        items = []
        for sku, quantity in basket.quantities.items():
            items.extend([sku] * quantity)
        self.bus.publish("order.placed", {
            "number": self._last_number,
            "customer": basket.customer,
            "items": items,
        })
        return self._last_number
