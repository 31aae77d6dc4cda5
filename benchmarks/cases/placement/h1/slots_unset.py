# stateful
"""slots_unset"""
from graphbus_core import GraphBusNode, subscribe


class Meter:
    __slots__ = ("last",)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = [s for s in Meter.__slots__ if hasattr(self.meter, s)]
        self.meter.last = amount
        return len(known)
