# stateful
from graphbus_core import GraphBusNode, subscribe


def count(gate):
    count.passed = getattr(count, "passed", 0) + 1
    return count.passed


class Stadium(GraphBusNode):
    LIMIT = 2

    @subscribe("/Gate/Passed")
    def on_passed(self, payload):
        if count(payload["gate"]) >= self.LIMIT:
            self.publish("/Gate/Close", {"gate": payload["gate"]})
