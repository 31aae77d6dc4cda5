# stateful
"""match_union_protocol"""
from graphbus_core import GraphBusNode, subscribe


from typing import Protocol, runtime_checkable
@runtime_checkable
class Begun(Protocol):
    started: object
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        match self:
            case Begun():
                return "again"
        self.started = amount
        return "first"
