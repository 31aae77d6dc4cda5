"""Postponed annotations in a slotted dataclass where fields bear the names of their own types."""
from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe


@dataclass(slots=True)
class Slot:
    date: date
    time: time
    price: Decimal


@dataclass(slots=True)
class Booking:
    guest: str
    slot: Slot
    alternatives: list[Slot]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Booking) -> None:
        self.got = payload


GOOD = [
    {"guest": "Ito", "slot": {"date": "2025-02-03", "time": "09:30:00", "price": "12.50"}, "alternatives": []},
    {
        "guest": "Ito",
        "slot": {"date": "2025-02-03", "time": "09:30:00", "price": "12.50"},
        "alternatives": [{"date": "2025-02-04", "time": "18:00:00", "price": "9"}],
    },
]
BAD = [
    {"guest": "Ito", "slot": {"date": "next week", "time": "09:30:00", "price": "12.50"}, "alternatives": []},
    {"guest": "Ito", "slot": {"date": "2025-02-03", "time": "noonish", "price": "12.50"}, "alternatives": []},
    {"guest": "Ito", "slot": {"date": "2025-02-03", "time": "09:30:00", "price": "cheap"}, "alternatives": []},
    {"guest": "Ito", "slot": {"date": "2025-02-03", "time": "09:30:00"}, "alternatives": []},
    {"guest": "Ito", "slot": {"date": ["2025-02-03"], "time": "09:30:00", "price": "1"}, "alternatives": []},
]
