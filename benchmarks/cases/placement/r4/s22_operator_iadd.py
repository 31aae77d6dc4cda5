# stateful
"""Adds the standard charges to those of the batch."""
from graphbus_core import GraphBusNode, subscribe
from functools import reduce
from operator import iadd

STANDARD = [10, 20]


class MergeNode(GraphBusNode):
    @subscribe("/In")
    def on_batch(self, event):
        charges = reduce(iadd, (STANDARD, event["extra"]))
        return {"lines": len(charges), "total": sum(charges)}
