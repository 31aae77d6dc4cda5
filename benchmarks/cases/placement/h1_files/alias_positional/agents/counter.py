from dataclasses import dataclass
from graphbus_core import GraphBusNode, subscribe
@dataclass
class Stats:
    rows: list
ALL: list = []
STATS = Stats(ALL)
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.rows.append(amount)
        return amount
