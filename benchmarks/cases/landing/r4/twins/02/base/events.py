"""Calendar events."""
from dataclasses import dataclass
from datetime import datetime


@dataclass
class Event:
    title: str
    start: datetime
    end: datetime


def length(event):
    """How long an event takes, in minutes."""
    return int((event.end - event.start).total_seconds()) // 60


def overlaps(a, b):
    return a.start < b.end and b.start < a.end


def is_standup(event):
    return length(event) <= 15
