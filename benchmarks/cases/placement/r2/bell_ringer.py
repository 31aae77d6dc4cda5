# stateful
from graphbus_core import GraphBusNode, subscribe

rung = 0


def ring():
    global rung
    rung += 1
    return rung


class BellRinger(GraphBusNode):
    @subscribe("/Door/Opened")
    def on(self, payload):
        self.publish("/Bell/Rung", {"times": ring()})
