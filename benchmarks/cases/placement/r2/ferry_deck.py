# stateful
from graphbus_core import GraphBusNode, subscribe

aboard = 0


class FerryDeck(GraphBusNode):
    @subscribe("/Ferry/Loaded")
    def on(self, payload):
        globals()["aboard"] += payload["cars"]
        self.publish("/Ferry/Aboard", {"cars": aboard})
