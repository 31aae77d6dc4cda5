import datetime as dt
from dataclasses import dataclass
from typing import Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Slot:
    day: dt.date
    start: dt.time
    end: Optional[dt.time]


@dataclass
class Meeting:
    title: str
    slots: list[Slot]
    lasts: dt.timedelta
    created: dt.datetime


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Meeting) -> None: ...


GOOD = [
    {"title": "t", "slots": [{"day": "2024-05-01", "start": "09:30:00", "end": None}], "lasts": "PT45M", "created": "2024-04-30T12:00:00"},
    {"title": "t", "slots": [], "lasts": "P1D", "created": "2024-04-30T12:00:00Z"},
    {"title": "t", "slots": [{"day": "2024-05-01", "start": "09:30:00", "end": "10:15:00"}], "lasts": "PT1H30M", "created": "2024-04-30T12:00:00"},
]
BAD = [
    {"title": "t", "slots": [{"day": "2024-13-01", "start": "09:30:00", "end": None}], "lasts": "PT45M", "created": "2024-04-30T12:00:00"},
    {"title": "t", "slots": [{"day": "2024-05-01", "start": "noon", "end": None}], "lasts": "PT45M", "created": "2024-04-30T12:00:00"},
    {"title": "t", "slots": [{"day": "2024-05-01", "start": "09:30:00"}], "lasts": "PT45M", "created": "2024-04-30T12:00:00"},
    {"title": "t", "slots": [], "lasts": "a while", "created": "2024-04-30T12:00:00"},
    {"title": "t", "slots": [], "lasts": "PT45M", "created": ["2024-04-30"]},
    {"title": "t", "slots": [{"day": None, "start": "09:30:00", "end": None}], "lasts": "PT45M", "created": "2024-04-30T12:00:00"},
]
