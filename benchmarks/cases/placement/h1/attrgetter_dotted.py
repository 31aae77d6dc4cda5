# stateful
"""attrgetter_dotted"""
from graphbus_core import GraphBusNode, subscribe


from operator import attrgetter
class Stats:
    total = 0
READ = attrgetter("stats.total")
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.stats.total += amount
        return READ(self)
