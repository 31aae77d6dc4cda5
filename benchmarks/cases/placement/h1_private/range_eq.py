# stateful
"""range_eq"""
from graphbus_core import GraphBusNode, subscribe


class Names(dict):
    def __missing__(self, key: range) -> int:
        self[key] = key.stop
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._names = Names()
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        return self._names[range(0, 3 if amount == "a" else 4, 2)]
