from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NewType, Optional
from graphbus_core import GraphBusNode, subscribe

OrderId = NewType("OrderId", str)
Cents = NewType("Cents", int)


@dataclass
class Reason:
    code: Literal["damaged", "late", "other"]
    text: Optional[str] = None


@dataclass
class Refund:
    order: OrderId
    cents: Cents
    rate: Decimal
    reason: Reason
    split: dict[Literal["card", "voucher"], Cents]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Refund) -> None: ...


GOOD = [
    {"order": "o", "cents": 100, "rate": "0.19", "reason": {"code": "late"}, "split": {}},
    {"order": "o", "cents": 0, "rate": "-1", "reason": {"code": "other", "text": "t"}, "split": {"card": 40, "voucher": 60}},
    {"order": "", "cents": -5, "rate": "100", "reason": {"code": "damaged", "text": None}, "split": {"voucher": 1}},
]
BAD = [
    {"order": 5, "cents": 100, "rate": "0.19", "reason": {"code": "late"}, "split": {}},
    {"order": "o", "cents": 1.5, "rate": "0.19", "reason": {"code": "late"}, "split": {}},
    {"order": "o", "cents": 100, "rate": "1,9", "reason": {"code": "late"}, "split": {}},
    {"order": "o", "cents": 100, "rate": "0.19", "reason": {"code": "lost"}, "split": {}},
    {"order": "o", "cents": 100, "rate": "0.19", "reason": {"code": "late"}, "split": {"cash": 1}},
    {"order": "o", "cents": 100, "rate": "0.19", "reason": {"code": "late"}, "split": {"card": "1"}},
]
