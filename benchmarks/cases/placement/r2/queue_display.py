# stateful
from graphbus_core import GraphBusNode, subscribe


class QueueDisplay(GraphBusNode):
    highest = 0

    @subscribe("/Queue/Called")
    def on(self, payload):
        vars(self).update(highest=max(self.highest, payload["n"]))
        self.publish("/Queue/Shown", {"n": self.highest})
