from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

from h24_invoice_types import Document, Party, PaymentState, Position


@dataclass
class InvoicePaid(Document):
    seller: Party
    buyer: Party
    state: PaymentState = PaymentState.PAID
    positions: list[Position] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: InvoicePaid) -> None: ...


GOOD = [
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B", "vat_id": None}},
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B", "vat_id": "NO1"},
     "state": "part", "positions": [{"text": "t", "net": "1.50"}]},
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B"},
     "positions": [{"text": "t", "net": "1.50", "period": {"start": "2024-01-01", "end": "2024-01-31"}}]},
]
BAD = [
    {"number": 1, "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B"}},
    {"issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B"}},
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"vat_id": "NO1"}},
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B"}, "state": "PAID"},
    {"number": "I-1", "issued": "2024-01-01", "seller": {"name": "S"}, "buyer": {"name": "B"},
     "positions": [{"text": "t", "net": "1.50", "period": {"start": "2024-01-01"}}]},
    {"number": "I-1", "issued": "January", "seller": {"name": "S"}, "buyer": {"name": "B"}},
]
