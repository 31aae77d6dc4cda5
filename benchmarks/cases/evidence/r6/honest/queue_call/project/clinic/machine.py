import itertools
from collections import defaultdict

from graphbus_core import GraphBusNode, schema_method


class TicketMachine(GraphBusNode):
    """A counter for each department."""

    def __init__(self):
        super().__init__()
        self.counters = defaultdict(lambda: itertools.count(1))
        self.waiting = defaultdict(lambda: 7)

    @schema_method(
        input_schema={"department": str},
        output_schema={"department": str, "number": int, "waiting": int},
    )
    def draw(self, department):
        number = next(self.counters[department])
        self.waiting[department] += 1
        return {"department": department, "number": number, "waiting": self.waiting[department]}
