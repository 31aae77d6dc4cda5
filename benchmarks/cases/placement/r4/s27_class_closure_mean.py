# stateful
"""Smooths a sample."""
from graphbus_core import GraphBusNode, subscribe


def _smoother():
    seen, value = 0, None
    total = 0
    while True:
        v = yield value
        seen, total = seen + 1, total + v
        value = total // seen


def primed(make):
    running = make()
    next(running)
    return staticmethod(lambda v: running.send(v))


class MeanNode(GraphBusNode):
    smooth = primed(_smoother)

    @subscribe("/In")
    def on_sample(self, event):
        return {"total": self.smooth(event["v"])}
