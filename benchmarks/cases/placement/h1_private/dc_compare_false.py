# stateful
"""dc_compare_false"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass, field
@dataclass(frozen=True)
class Key:
    a: int
    b: int = field(compare=False, default=0)
class Names(dict):
    def __missing__(self, key: Key) -> int:
        self[key] = key.b
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._names = Names()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self._names[Key(1, amount)]
