# stateful
from graphbus_core import GraphBusNode, subscribe


class ShelfLabel(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.prices = {}

    @subscribe("/Price/Set")
    def on(self, payload):
        first = getattr(self, "prices").setdefault(payload["sku"], payload["price"])
        self.publish("/Label/Printed", {"sku": payload["sku"], "was": first})
