# stateful
"""missing_mutated"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> list:
        self[key] = []
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        rows = self.ids[amount]
        rows.append(amount)
        return len(rows)
