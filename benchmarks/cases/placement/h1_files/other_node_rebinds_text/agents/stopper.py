from graphbus_core import GraphBusNode, subscribe
from agents import counter
class Stopper(GraphBusNode):
    @subscribe("/Stop")
    def on_stop_it(self, amount: int) -> int:
        counter.TOTAL = "stopped"
        return amount
