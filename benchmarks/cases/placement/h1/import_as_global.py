# stateful
"""import_as_global"""
from graphbus_core import GraphBusNode, subscribe


LAST: object = None
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        global LAST
        before = LAST
        import json as LAST
        return before is None
