# stateful
"""exc_attr"""
from graphbus_core import GraphBusNode, subscribe


class Bad(Exception):
    pass
BAD = Bad("x")
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        said = str(BAD)
        BAD.args = (amount,)
        return said
