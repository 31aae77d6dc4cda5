from graphbus_core import GraphBusNode, subscribe
class Book(dict):
    pass
class Stats:
    def __init__(self) -> None:
        self.rows = []
STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.rows.append(amount)
        return amount
