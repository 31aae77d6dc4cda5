"""date, datetime and time as ISO texts."""
import datetime as dt
from dataclasses import dataclass
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Booking:
    day: dt.date
    made: dt.datetime
    at: dt.time
    reminders: list[dt.datetime]
    until: Optional[dt.date] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Booking) -> None: ...


GOOD = [
    {"day": "2024-02-29", "made": "2024-01-01T10:00:00", "at": "09:30:00", "reminders": []},
    {"day": "1999-12-31", "made": "2024-01-01T10:00:00Z", "at": "23:59:59", "reminders": ["2024-01-01T00:00:00+02:00"], "until": None},
    {"day": "2024-01-01", "made": "2024-01-01T10:00:00.250000+00:00", "at": "00:00:00", "reminders": [], "until": "2024-06-30"},
]
BAD = [
    {"day": "2023-02-29", "made": "2024-01-01T10:00:00", "at": "09:30:00", "reminders": []},
    {"day": "tomorrow", "made": "2024-01-01T10:00:00", "at": "09:30:00", "reminders": []},
    {"day": "2024-02-29", "made": None, "at": "09:30:00", "reminders": []},
    {"day": "2024-02-29", "made": "2024-01-01T10:00:00", "at": "25:00:00", "reminders": []},
    {"day": "2024-02-29", "made": "2024-01-01T10:00:00", "at": "09:30:00", "reminders": ["never"]},
    {"day": ["2024", "02", "29"], "made": "2024-01-01T10:00:00", "at": "09:30:00", "reminders": []},
]
