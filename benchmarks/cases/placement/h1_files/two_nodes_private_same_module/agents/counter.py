from dataclasses import dataclass
from graphbus_core import GraphBusNode, subscribe
@dataclass
class Stats:
    _total: int = 0
_STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _STATS._total += amount
        return amount
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> str:
        return repr(_STATS)
