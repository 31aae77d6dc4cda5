from graphbus_core import GraphBusNode, subscribe
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.last = amount
        return self.last * 2
