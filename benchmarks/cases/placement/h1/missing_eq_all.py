# stateful
"""missing_eq_all"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return 1
    def __eq__(self, other: object) -> bool:
        return True
class Ids(dict):
    def __missing__(self, key: Key) -> int:
        self[key] = key.n
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[Key(amount)]
