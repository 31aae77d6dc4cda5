# stateful
"""path_case"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
from pathlib import PureWindowsPath
@lru_cache(maxsize=None)
def f(p: PureWindowsPath) -> str:
    return str(p)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return f(PureWindowsPath(amount))
