from graphbus_core import GraphBusNode, subscribe
class Stats:
    def __init__(self) -> None:
        self.total = 0
STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.total += amount
        return amount
class Teller(GraphBusNode):
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> dict:
        return dict(vars(STATS))
