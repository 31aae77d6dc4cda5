# stateful
from queue import SimpleQueue

from graphbus_core import GraphBusNode, subscribe


class BatchOven(GraphBusNode):
    """Bakes two trays at a time."""

    def __init__(self):
        super().__init__()
        self.waiting = SimpleQueue()

    @subscribe("/Tray/Ready")
    def on(self, payload):
        self.waiting.put(payload["tray"])
        if self.waiting.qsize() >= 2:
            self.publish("/Oven/Baked", {"trays": [self.waiting.get(), self.waiting.get()]})
