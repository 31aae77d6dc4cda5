# stateful
"""missing_partial_len"""
from graphbus_core import GraphBusNode, subscribe


from functools import partial
class Ids(dict):
    def __init__(self) -> None:
        super().__init__()
        self.size = partial(len, self)
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[amount] + self.ids.size()
