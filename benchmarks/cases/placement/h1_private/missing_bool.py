# stateful
"""missing_bool"""
from graphbus_core import GraphBusNode, subscribe


class Names(dict):
    def __missing__(self, key: object) -> str:
        self[key] = str(key)
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._names = Names()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        return self._names[amount > 2 if amount > 1 else amount]
