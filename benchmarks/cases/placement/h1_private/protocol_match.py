# stateful
"""protocol_match"""
from graphbus_core import GraphBusNode, subscribe


from typing import Protocol, runtime_checkable
@runtime_checkable
class Begun(Protocol):
    _last: int
class Meter:
    pass
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._meter = Meter()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        match self._meter:
            case Begun():
                return True
        self._meter._last = amount
        return False
