# pure
from collections import deque

from graphbus_core import GraphBusNode, subscribe


def moving_average(size):
    window = deque(maxlen=size)
    mean = None
    while True:
        window.append((yield mean))
        mean = sum(window) / len(window)


def smooth(samples, size=3):
    filt = moving_average(size)
    next(filt)
    for sample in samples:
        yield round(filt.send(sample), 2)
    filt.close()


class VibrationWindow(GraphBusNode):
    @subscribe("/Machine/Samples")
    def on_samples(self, payload):
        line = list(smooth(payload["samples"]))
        self.publish("/Machine/Smooth", {"line": line, "peak": max(line, default=None)})
