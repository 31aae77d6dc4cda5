from graphbus_core import GraphBusNode, subscribe
from agents.state import STATS
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> str:
        return repr(STATS)
