"""Calendar events."""
from dataclasses import dataclass
from datetime import datetime


@dataclass
class Event:
    title: str
    start: datetime
    end: datetime


def length(event, unit="minutes"):
    """How long an event takes, in whole minutes or seconds."""
    seconds = int((event.end - event.start).total_seconds())
    return seconds if unit == "seconds" else seconds // 60


def overlaps(a, b):
    return a.start < b.end and b.start < a.end


def is_standup(event):
    return length(event, "seconds") <= 15 * 60
