from graphbus_core import GraphBusNode, subscribe
class Counter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows = self.history = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.rows.append(amount)
        return amount
