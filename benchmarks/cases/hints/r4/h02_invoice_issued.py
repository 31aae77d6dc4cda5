from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class TaxLine:
    code: str
    rate: Decimal


@dataclass
class InvoiceLine:
    description: str
    amount: Decimal
    taxes: list[TaxLine] = field(default_factory=list)


@dataclass
class Invoice:
    number: str
    issued_on: date
    due_on: Optional[date]
    lines: list[InvoiceLine]
    notes: str = ""


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Invoice) -> None: ...


GOOD = [
    {"number": "INV-1", "issued_on": "2024-03-01", "due_on": "2024-03-31",
     "lines": [{"description": "Hosting", "amount": "120.00", "taxes": [{"code": "VAT", "rate": "0.20"}]}]},
    {"number": "INV-2", "issued_on": "2024-03-01", "due_on": None, "lines": [], "notes": "paid"},
    {"number": "INV-3", "issued_on": "2024-02-29", "due_on": None,
     "lines": [{"description": "Credit", "amount": "-15.50"}]},
]
BAD = [
    {"number": "INV-1", "issued_on": "2023-02-29", "due_on": None, "lines": []},
    {"number": "INV-1", "issued_on": "2024-03-01", "lines": []},
    {"number": "INV-1", "issued_on": "2024-03-01", "due_on": None,
     "lines": [{"description": "Hosting", "amount": "a lot"}]},
    {"number": "INV-1", "issued_on": "2024-03-01", "due_on": None,
     "lines": [{"description": "Hosting", "amount": "1.00", "taxes": [{"code": "VAT"}]}]},
    {"number": "INV-1", "issued_on": "2024-03-01", "due_on": None, "lines": [], "notes": None},
]
