# stateful
"""namespace_attr"""
from graphbus_core import GraphBusNode, subscribe


from argparse import Namespace
class S(Namespace):
    pass
STATE = S()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        before = str(STATE)
        STATE._last = amount
        return before
