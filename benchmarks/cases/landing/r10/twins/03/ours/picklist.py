"""What the packers read from their screen."""
from collections import Counter


class PickList:
    def __init__(self, bus):
        self.lines = []
        bus.subscribe("order.placed", self.on_order)

    def on_order(self, payload):
        for sku, quantity in Counter(payload["items"]).items():
            self.lines.append(f"#{payload['number']} {quantity} x {sku}")
