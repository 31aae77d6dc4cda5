# stateful
"""protocol_singledispatch"""
from graphbus_core import GraphBusNode, subscribe


from typing import Protocol, runtime_checkable
@runtime_checkable
class Begun(Protocol):
    last: int
class Meter:
    pass
def ask(meter: Meter) -> bool:
    return any(isinstance(m, kind) for m in [meter] for kind in [Begun])
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        begun = ask(self.meter)
        self.meter.last = amount
        return begun
