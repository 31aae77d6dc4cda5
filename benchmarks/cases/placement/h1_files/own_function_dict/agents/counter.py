from graphbus_core import GraphBusNode, subscribe
class Stats:
    total = 0
STATS = Stats()
def report() -> dict:
    return STATS.__dict__
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATS.total += amount
        return amount
