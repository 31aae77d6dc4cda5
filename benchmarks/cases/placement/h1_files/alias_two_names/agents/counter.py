from graphbus_core import GraphBusNode, subscribe
ROWS = SHARED = []
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        ROWS.append(amount)
        return amount
