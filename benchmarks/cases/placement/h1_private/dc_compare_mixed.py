# stateful
"""dc_compare_mixed"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(frozen=True)
class Key:
    n: object
    def __hash__(self) -> int:
        return 5
    def __eq__(self, other: "Key") -> bool:
        return self.n + other.n == 2
_SEEN: set = set()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        _SEEN.add(Key(int(amount) if amount == "1" else amount))
        return amount
