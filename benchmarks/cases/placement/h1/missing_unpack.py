# stateful
"""missing_unpack"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key
        return key
def count(**rows: int) -> int:
    return len(rows)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.ids[str(amount)]
        return len({**self.ids})
