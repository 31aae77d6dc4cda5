from graphbus_core import GraphBusNode, subscribe
from agents.state import STATE
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATE.last = amount
        return STATE.last * 2
