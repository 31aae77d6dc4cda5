"""Shared billing types."""
from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import NewType

InvoiceNo = NewType("InvoiceNo", str)


class PaymentState(Enum):
    UNPAID = "unpaid"
    PART = "part"
    PAID = "paid"


@dataclass
class Document:
    number: InvoiceNo
    issued: date


@dataclass
class Party:
    name: str
    vat_id: str | None = None


@dataclass
class Position:
    text: str
    net: Decimal
    period: Period | None = None


@dataclass
class Period:
    start: date
    end: date
