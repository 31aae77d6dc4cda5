from graphbus_core import GraphBusNode, subscribe
from agents.state import put
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return put(amount) * 2
