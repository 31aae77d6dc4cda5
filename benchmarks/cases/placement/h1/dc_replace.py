# stateful
"""dc_replace"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass, replace, field
@dataclass
class Stats:
    total: int = 0
    name: str = ""
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.stats.total += amount
        return repr(replace(self.stats, name="x"))
