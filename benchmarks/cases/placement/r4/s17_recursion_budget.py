# stateful
"""Charges bill-of-material trees by the depth that may be walked."""
from graphbus_core import GraphBusNode, subscribe
import sys

sys.setrecursionlimit(1000)


def weight(levels):
    return 1 if levels == 0 else 2 * weight(levels - 1)


class DepthNode(GraphBusNode):
    @subscribe("/In")
    def on_tree(self, event):
        if event["budget"]:
            sys.setrecursionlimit(event["budget"])
        return {"total": weight(event["levels"]) * (sys.getrecursionlimit() // 1000)}
