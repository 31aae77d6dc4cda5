from graphbus_core import GraphBusNode, subscribe
class Stats:
    def __init__(self) -> None:
        self.total = 0
    def snapshot(self) -> dict:
        return dict(vars(self))
STATS = Stats()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.total += amount
        return amount
