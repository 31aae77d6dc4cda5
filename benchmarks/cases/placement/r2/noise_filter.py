# stateful
from collections import deque

from graphbus_core import GraphBusNode, subscribe


def mean_with(window, value):
    window.append(value)
    return sum(window) / len(window)


class NoiseFilter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.window = deque(maxlen=3)

    @subscribe("/Noise/Measured")
    def on(self, payload):
        self.publish("/Noise/Smoothed", {"db": mean_with(self.window, payload["db"])})
