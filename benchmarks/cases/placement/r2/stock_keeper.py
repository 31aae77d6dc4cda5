# stateful
from graphbus_core import GraphBusNode, subscribe


class StockKeeper(GraphBusNode):
    LEFT = {"p": 2, "q": 5}

    @subscribe("/Order/Placed")
    def on(self, payload):
        left = type(self).LEFT
        left[payload["sku"]] -= 1
        self.publish("/Stock/Left", {"sku": payload["sku"], "left": left[payload["sku"]]})
