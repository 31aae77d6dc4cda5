from graphbus_core import GraphBusNode, subscribe
TOTAL = 0
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global TOTAL
        TOTAL += amount
        return amount
