# stateful
from graphbus_core import GraphBusNode, subscribe


class Counted(GraphBusNode):
    total = 0

    def add(self, amount):
        self.total += amount
        return self.total


class RainBarrel(Counted):
    @subscribe("/Rain/Fell")
    def on(self, payload):
        self.publish("/Rain/Total", {"mm": self.add(payload["mm"])})
