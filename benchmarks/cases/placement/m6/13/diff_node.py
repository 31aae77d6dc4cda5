from graphbus_core import GraphBusNode, subscribe

from merging import flatten, union, unflatten


class DiffNode(GraphBusNode):
    """Compares two trees of settings and puts them together."""

    EMPTY = {"editor": {}, "colours": {}}

    @subscribe("/Diff")
    def on_pair(self, old: dict, new: dict) -> dict:
        left = flatten(union(self.EMPTY, old))
        right = flatten(union(self.EMPTY, new))
        changed = {}
        for path in sorted(left.keys() | right.keys()):
            if left.get(path) != right.get(path):
                changed[path] = right.get(path)
        return {"changed": unflatten(changed), "both": union(unflatten(left), unflatten(right))}
