# stateful
"""import_as_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST: object = None
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        global _LAST
        before = _LAST
        import json as _LAST
        return before is None
