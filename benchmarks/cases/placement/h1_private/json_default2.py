# stateful
"""json_default2"""
from graphbus_core import GraphBusNode, subscribe


import json
class Rec:
    def __init__(self) -> None:
        self._total = 0
REC = Rec()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        REC._total += amount
        return json.dumps([REC], default=lambda o: o.__dict__)
