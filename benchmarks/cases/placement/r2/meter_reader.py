# stateful
from graphbus_core import GraphBusNode, subscribe


def remember(value, last=[0]):
    """The difference to the reading before."""
    difference = value - last[0]
    last[0] = value
    return difference


class MeterReader(GraphBusNode):
    @subscribe("/Meter/Read")
    def on(self, payload):
        self.publish("/Meter/Used", {"used": remember(payload["value"])})
