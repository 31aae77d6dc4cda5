"""Types of h27: the names used here are known in this file only."""
from __future__ import annotations

from datetime import date as Day
from typing import NotRequired, TypedDict


class _Money(TypedDict):
    cents: int
    currency: str


class BaseSale(TypedDict):
    on: Day
    price: _Money
    discount: NotRequired[_Money | None]
