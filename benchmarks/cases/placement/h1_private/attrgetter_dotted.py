# stateful
"""attrgetter_dotted"""
from graphbus_core import GraphBusNode, subscribe


from operator import attrgetter
class Stats:
    _total = 0
READ = attrgetter("stats._total")
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._stats._total += amount
        return READ(self)
