# pure
from graphbus_core import GraphBusNode, subscribe


def total(node, seen=None):
    seen = seen if seen is not None else set()
    if id(node) in seen:
        return 0
    seen.add(id(node))
    return node.get("bytes", 0) + sum(total(child, seen) for child in node.get("children", []))


class FolderSize(GraphBusNode):
    @subscribe("/Tree/Listed")
    def on_listed(self, payload):
        self.publish("/Tree/Size", {"bytes": total(payload)})
