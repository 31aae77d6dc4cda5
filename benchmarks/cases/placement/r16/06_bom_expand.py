# stateful
"""The set that guards the recursion is an attribute of the function and is never emptied."""
from graphbus_core import GraphBusNode, subscribe

PARTS: dict[str, tuple[tuple[str, int], ...]] = {
    "bicycle": (("frame", 1), ("wheel", 2), ("saddle", 1)),
    "tandem": (("frame", 1), ("wheel", 2), ("saddle", 2), ("crank", 2)),
    "wheel": (("rim", 1), ("spoke", 32), ("hub", 1)),
    "frame": (("tube", 7), ("lug", 4)),
    "crank": (("arm", 2), ("bolt", 5)),
}


def explode(part: str, quantity: int) -> list[tuple[str, int]]:
    """Leaf parts of a product; a part already being looked at is a loop in the data."""
    if part in explode.entered:
        return []
    explode.entered.add(part)
    children = PARTS.get(part)
    if not children:
        explode.entered.discard(part)
        return [(part, quantity)]
    leaves = []
    for child, count in children:
        leaves += explode(child, count * quantity)
    return leaves


explode.entered = set()


class BomExpand(GraphBusNode):
    @subscribe("/Plant/Explode")
    def on_product(self, product: str, quantity: int) -> dict[str, int]:
        needed: dict[str, int] = {}
        for leaf, count in explode(product, quantity):
            needed[leaf] = needed.get(leaf, 0) + count
        return needed
