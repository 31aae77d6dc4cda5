# stateful
from graphbus_core import GraphBusNode, subscribe


class Limited:
    """A number that may move by at most `step` at a time."""

    def __init__(self, start, step):
        self.value = start
        self.step = step

    def __get__(self, owner, cls=None):
        return self if owner is None else self.value

    def __set__(self, owner, wanted):
        move = max(-self.step, min(self.step, wanted - self.value))
        self.value = self.value + move


class HumidityDisplay(GraphBusNode):
    shown = Limited(start=50, step=5)

    @subscribe("/Sensor/Humidity")
    def on_humidity(self, payload):
        self.shown = payload["percent"]
        self.publish("/Display/Humidity", {"percent": self.shown})
