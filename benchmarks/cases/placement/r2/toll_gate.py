# stateful
from contextvars import ContextVar, copy_context

from graphbus_core import GraphBusNode, subscribe

passed = ContextVar("passed", default=0)
ROAD = copy_context()


class TollGate(GraphBusNode):
    @subscribe("/Car/Came")
    def on(self, payload):
        ROAD.run(passed.set, ROAD.get(passed, 0) + 1)
        self.publish("/Car/Passed", {"cars": ROAD[passed]})
