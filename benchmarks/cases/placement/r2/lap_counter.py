# stateful
from graphbus_core import GraphBusNode, subscribe


def make_counter():
    laps = {}

    def count(runner):
        laps[runner] = laps.get(runner, 0) + 1
        return laps[runner]

    return count


class LapCounter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.count = make_counter()

    @subscribe("/Runner/Passed")
    def on(self, payload):
        self.publish("/Runner/Lap", {"lap": self.count(payload["runner"])})
