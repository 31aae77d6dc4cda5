# stateful
"""missing_frozenset"""
from graphbus_core import GraphBusNode, subscribe


class Names(dict):
    def __missing__(self, key: frozenset) -> tuple:
        self[key] = tuple(key)
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.names = Names()
    @subscribe("/In")
    def on_event(self, amount: str) -> list:
        key = frozenset([0, 8] if amount == "a" else [8, 0])
        return list(self.names[key])
