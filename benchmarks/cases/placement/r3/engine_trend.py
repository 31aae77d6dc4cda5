# stateful
from graphbus_core import GraphBusNode, subscribe


def smoother(weight):
    level = yield
    while True:
        value = yield level
        level = weight * value + (1 - weight) * level


def primed(gen):
    next(gen)
    return gen


class EngineTrend(GraphBusNode):
    WARN = 95.0

    def __init__(self):
        super().__init__()
        self.filter = primed(smoother(0.25))

    @subscribe("/Engine/Temperature")
    def on_temperature(self, payload):
        level = self.filter.send(float(payload["celsius"]))
        topic = "/Engine/Warning" if level > self.WARN else "/Engine/Level"
        self.publish(topic, {"level": round(level, 3)})
