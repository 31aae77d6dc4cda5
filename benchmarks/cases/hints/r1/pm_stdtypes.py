"""Dates, ids and amounts in a model: texts in JSON."""

import uuid
from datetime import date, datetime
from decimal import Decimal

from pydantic import BaseModel

from graphbus_core import GraphBusNode, subscribe


class Booking(BaseModel):
    id: uuid.UUID
    at: datetime
    day: date | None = None
    total: Decimal = Decimal("0")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Booking) -> None:
        self.booking = payload


GOOD = [
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e", "at": "2026-03-01T10:00:00Z"},
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e", "at": "2026-03-01T10:00:00+01:00", "day": "2024-02-29"},
    {"id": "00000000-0000-0000-0000-000000000000", "at": "2026-03-01T10:00:00.5Z", "total": "19.90"},
]
BAD = [
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e"},
    {"id": None, "at": "2026-03-01T10:00:00Z"},
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e", "at": ["2026-03-01T10:00:00Z"]},
    {"id": "order seven", "at": "2026-03-01T10:00:00Z"},
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e", "at": "2026-03-01T10:00:00Z", "day": "someday"},
]
