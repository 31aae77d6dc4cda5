# stateful
"""path_case_missing"""
from graphbus_core import GraphBusNode, subscribe


from pathlib import PureWindowsPath
class Ids(dict):
    def __missing__(self, key: PureWindowsPath) -> str:
        self[key] = str(key)
        return self[key]
_IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return _IDS[PureWindowsPath(amount)]
