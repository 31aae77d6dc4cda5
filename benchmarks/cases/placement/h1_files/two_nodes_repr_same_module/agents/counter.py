from dataclasses import dataclass
from graphbus_core import GraphBusNode, subscribe
@dataclass
class Stats:
    total: int = 0
STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.total += amount
        return amount
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> str:
        return repr(STATS)
