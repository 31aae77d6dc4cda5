from graphbus_core import GraphBusNode, subscribe
from agents.state import STATE
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return STATE.last
