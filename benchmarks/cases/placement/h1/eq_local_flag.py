# stateful
"""eq_local_flag"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int, out: list) -> None:
        self.n = n
        self.out = out
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        self.out.append(1)
        other.out.append(1)
        return True
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set = set()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        out: list = []
        self.seen.add(Key(amount, out))
        return len(out)
