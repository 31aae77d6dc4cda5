from graphbus_core import GraphBusNode, subscribe
TOTALS: object = []
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        TOTALS.append(amount)
        return amount
