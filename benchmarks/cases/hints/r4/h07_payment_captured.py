from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Literal
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe


class Method(Enum):
    CARD = "card"
    SEPA = "sepa_debit"


@dataclass
class Money:
    amount: Decimal
    currency: Literal["EUR", "USD", "GBP"]


@dataclass
class Card:
    last4: str
    expires: tuple[int, int]


@dataclass
class PaymentCaptured:
    payment_id: UUID
    money: Money
    method: Method
    card: Card | None = None
    fees: tuple[Money, ...] = ()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: PaymentCaptured) -> None: ...


GOOD = [
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10.00", "currency": "EUR"},
     "method": "sepa_debit"},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10", "currency": "USD"},
     "method": "card", "card": {"last4": "4242", "expires": [2027, 12]}},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "0.01", "currency": "GBP"},
     "method": "card", "card": None,
     "fees": [{"amount": "0.10", "currency": "EUR"}, {"amount": "0.30", "currency": "EUR"}]},
]
BAD = [
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10.00", "currency": "CHF"},
     "method": "card"},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "ten", "currency": "EUR"},
     "method": "card"},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10.00", "currency": "EUR"},
     "method": "SEPA"},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10.00", "currency": "EUR"},
     "method": "card", "card": {"last4": "4242", "expires": [2027, 12, 1]}},
    {"payment_id": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001", "money": {"amount": "10.00", "currency": "EUR"},
     "method": "card", "fees": [{"amount": "1.00"}]},
    {"payment_id": 12, "money": {"amount": "10.00", "currency": "EUR"}, "method": "card"},
]
