# stateful
from graphbus_core import GraphBusNode, subscribe


def brew(cups):
    brew.cups += cups
    return brew.cups


brew.cups = 0


class CoffeeBar(GraphBusNode):
    @subscribe("/Coffee/Ordered")
    def on(self, payload):
        self.publish("/Coffee/Brewed", {"today": brew(payload["cups"])})
