from dataclasses import dataclass, field
from graphbus_core import GraphBusNode, subscribe
from agents import store
@dataclass
class Stats:
    rows: list = field(default_factory=lambda: store.ALL)
STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.rows.append(amount)
        return amount
