# pure
from graphbus_core import GraphBusNode, subscribe


class Receipt:
    def __init__(self):
        self.lines, self.total = [], 0

    def add(self, name, cents, count=1):
        self.lines.append(f"{count} {name}")
        self.total += cents * count
        return self


class Till(GraphBusNode):
    @subscribe("/Basket/Scanned")
    def on_scanned(self, payload):
        receipt = Receipt()
        for item in payload["items"]:
            receipt.add(**item)
        self.publish("/Basket/Receipt", {"lines": receipt.lines, "total": receipt.total})
