"""A pydantic model of another module under a new name, whose hints are texts over there."""

from graphbus_core import GraphBusNode, subscribe
from model_import_types import Order as IncomingOrder


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: IncomingOrder) -> None:
        self.order = payload


GOOD = [
    {"orderNo": "A1", "lines": [{"qty": 1}]},
    {"orderNo": "A", "lines": [{"qty": 1, "note": None}, {"qty": 99, "note": "x"}]},
    {"orderNo": "A12", "lines": [{"qty": 3}], "state": "paid"},
]
BAD = [
    {"orderNo": "A1", "lines": []},
    {"orderNo": "", "lines": [{"qty": 1}]},
    {"orderNo": "A1", "lines": [{"qty": 0}]},
    {"orderNo": "A1", "lines": [{"qty": 1}], "state": "lost"},
    {"order_no": "A1", "lines": [{"qty": 1}]},
]
