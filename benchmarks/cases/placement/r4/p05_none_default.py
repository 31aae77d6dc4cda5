# pure
"""Flattens an organisation tree."""
from graphbus_core import GraphBusNode, subscribe


def flatten(node, found=None):
    if found is None:
        found = []
    found.append(node["n"])
    for kid in node["kids"]:
        flatten(kid, found)
    return found


class CollectNode(GraphBusNode):
    @subscribe("/In")
    def on_tree(self, event):
        numbers = flatten(event["tree"])
        return {"numbers": numbers, "total": sum(numbers)}
