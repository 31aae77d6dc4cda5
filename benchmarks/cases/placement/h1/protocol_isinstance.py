# stateful
"""protocol_isinstance"""
from graphbus_core import GraphBusNode, subscribe


from typing import Protocol, runtime_checkable
@runtime_checkable
class Begun(Protocol):
    last: int
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        begun = isinstance(self, Begun)
        self.last = amount
        return begun
