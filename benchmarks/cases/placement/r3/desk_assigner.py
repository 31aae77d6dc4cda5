# stateful
import itertools

from graphbus_core import GraphBusNode, subscribe


class DeskAssigner(GraphBusNode):
    DESKS = ("north", "south", "east")

    def __init__(self):
        super().__init__()
        self.order = itertools.cycle(self.DESKS)

    @subscribe("/Tickets/Batch")
    def on_batch(self, payload):
        pairs = zip(payload["tickets"], self.order)
        self.publish("/Tickets/Assigned", dict(pairs))
