# stateful
"""dc_replace"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass, replace, field
@dataclass
class Stats:
    _total: int = 0
    name: str = ""
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._stats._total += amount
        return repr(replace(self._stats, name="x"))
