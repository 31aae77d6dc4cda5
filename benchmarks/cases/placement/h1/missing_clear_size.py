# stateful
"""missing_clear_size"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key
        return key
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.ids[amount]
        if len(self.ids) > 1:
            self.ids.clear()
            return "cleared"
        return "kept"
