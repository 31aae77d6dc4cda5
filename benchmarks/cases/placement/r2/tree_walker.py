# pure
from graphbus_core import GraphBusNode, subscribe


class TreeWalker(GraphBusNode):
    def names(self, tree, depth=0):
        found = [(depth, tree["name"])]
        for child in tree["children"]:
            found.extend(self.names(child, depth + 1))
        return found

    @subscribe("/Tree/Planted")
    def on(self, payload):
        self.publish("/Tree/Named", {"names": self.names(payload["tree"])})
