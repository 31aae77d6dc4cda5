"""What the packers read from their screen."""


class PickList:
    def __init__(self, bus):
        self.lines = []
        bus.subscribe("order.placed", self.on_order)

    def on_order(self, payload):
        for line in payload["lines"]:
            self.lines.append(f"#{payload['number']} {line['quantity']} x {line['sku']}")
