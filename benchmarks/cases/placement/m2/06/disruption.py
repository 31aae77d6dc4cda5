from graphbus_core import GraphBusNode, subscribe

from network import NETWORK


class Disruption(GraphBusNode):
    """What would the detour cost if a leg were closed?"""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Air/Leg/WhatIf")
    def what_if(self, leg: str) -> dict[str, int]:
        a, b = leg.split("-")
        before, _ = NETWORK.path(a, b)
        after, _ = NETWORK.without(a, b).path(a, b)
        return {"before": before, "after": after, "extra": after - before if after > 0 else -1}
