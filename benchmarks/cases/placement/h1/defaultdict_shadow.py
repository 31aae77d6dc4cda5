# stateful
"""defaultdict_shadow"""
from graphbus_core import GraphBusNode, subscribe


def defaultdict(kind: type) -> dict:
    return {"a": kind()}
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.hits = defaultdict(int)
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount < 0:
            self.hits.clear()
        else:
            self.hits["a"] += 1
        return amount
