# stateful
"""Draws the item of a lot which quality control opens; repeatable by its fixed seed."""
from graphbus_core import GraphBusNode, subscribe
import random

pick = random.Random(20240101).randrange


class SampleNode(GraphBusNode):
    @subscribe("/In")
    def on_lot(self, event):
        index = pick(event["size"])
        return {"open": index, "total": index}
