# stateful
"""oserror_attr"""
from graphbus_core import GraphBusNode, subscribe


class Bad(OSError):
    pass
BAD = Bad(1, "x")
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        said = str(BAD)
        BAD.errno = amount
        return said
