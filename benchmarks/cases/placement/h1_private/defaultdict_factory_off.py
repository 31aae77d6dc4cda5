# stateful
"""defaultdict_factory_off"""
from graphbus_core import GraphBusNode, subscribe


from collections import defaultdict
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hits = defaultdict(int)
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount < 0:
            self._hits.default_factory = None
        else:
            self._hits[amount] += 1
        return amount
