from graphbus_core import GraphBusNode, subscribe
from agents import store
class Counter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows = store.ALL
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.rows.append(amount)
        return amount
