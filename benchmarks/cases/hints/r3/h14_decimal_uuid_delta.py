"""Decimal, UUID and timedelta as JSON texts."""
from datetime import timedelta
from decimal import Decimal
from typing import NotRequired, TypedDict
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe


class Invoice(TypedDict):
    ref: UUID
    amount: Decimal
    term: timedelta
    lines: NotRequired[dict[str, Decimal]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Invoice) -> None: ...


GOOD = [
    {"ref": "12345678-1234-5678-1234-567812345678", "amount": "12.50", "term": "P30D"},
    {"ref": "00000000-0000-0000-0000-000000000000", "amount": "-0.001", "term": "PT1H30M", "lines": {}},
    {"ref": "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "amount": "100", "term": "P1DT2H", "lines": {"a": "1", "b": "2.25"}},
]
BAD = [
    {"ref": "12345678-1234", "amount": "12.50", "term": "P30D"},
    {"ref": 5, "amount": "12.50", "term": "P30D"},
    {"ref": "12345678-1234-5678-1234-567812345678", "amount": "a lot", "term": "P30D"},
    {"ref": "12345678-1234-5678-1234-567812345678", "amount": None, "term": "P30D"},
    {"ref": "12345678-1234-5678-1234-567812345678", "amount": "12.50", "term": "a while"},
    {"ref": "12345678-1234-5678-1234-567812345678", "amount": "12.50", "term": "P30D", "lines": {"a": []}},
]
