from graphbus_core import GraphBusNode, subscribe
TOTALS = []
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        TOTALS.append(amount)
        return amount
