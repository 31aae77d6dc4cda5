import datetime as dt
from dataclasses import dataclass, field
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Slot:
    day: dt.date
    start: dt.time
    duration: dt.timedelta


@dataclass
class Booking:
    room: str
    slots: list[Slot]
    organizer: "Person"
    attendees: "list[Person]" = field(default_factory=list)
    confirmed_at: Optional["dt.datetime"] = None


@dataclass
class Person:
    name: str
    badge: Optional[int] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Booking") -> None: ...


GOOD = [
    {"room": "R1", "slots": [], "organizer": {"name": "Ann"}},
    {"room": "R1", "slots": [{"day": "2024-06-03", "start": "09:30:00", "duration": "PT45M"}],
     "organizer": {"name": "Ann", "badge": 7}, "attendees": [{"name": "Bo", "badge": None}]},
    {"room": "R1", "slots": [{"day": "2024-06-03", "start": "23:59:59", "duration": "PT1H30M"}],
     "organizer": {"name": "Ann"}, "confirmed_at": "2024-06-01T08:00:00+00:00"},
]
BAD = [
    {"room": "R1", "slots": [{"day": "2024-06-31", "start": "09:30:00", "duration": "PT45M"}],
     "organizer": {"name": "Ann"}},
    {"room": "R1", "slots": [{"day": "2024-06-03", "start": "25:00:00", "duration": "PT45M"}],
     "organizer": {"name": "Ann"}},
    {"room": "R1", "slots": [{"day": "2024-06-03", "start": "09:30:00", "duration": "long"}],
     "organizer": {"name": "Ann"}},
    {"room": "R1", "slots": [], "organizer": "Ann"},
    {"room": "R1", "slots": [], "organizer": {"name": "Ann"}, "attendees": [{"badge": 3}]},
    {"room": "R1", "slots": [], "organizer": {"name": "Ann"}, "confirmed_at": "soon"},
]
