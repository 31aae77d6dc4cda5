from graphbus_core import GraphBusNode, subscribe
from agents.state import STATS
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.total += amount
        return amount
