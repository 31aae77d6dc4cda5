from graphbus_core import GraphBusNode, subscribe
from agents.state import get
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return get()
