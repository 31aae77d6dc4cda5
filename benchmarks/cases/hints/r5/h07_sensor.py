from datetime import datetime
from typing import TypedDict
from graphbus_core import GraphBusNode, subscribe


class Reading(TypedDict):
    sensor: str
    at: datetime
    values: dict[str, float]
    ok: bool


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Reading) -> None: ...


GOOD = [
    {"sensor": "s1", "at": "2024-05-01T10:00:00Z", "values": {"temp": 21.5, "hum": 40}, "ok": True},
    {"sensor": "s1", "at": "2024-05-01T10:00:00.250000", "values": {}, "ok": False},
    {"sensor": "s1", "at": "2024-05-01T10:00:00+02:00", "values": {"t": -1.0}, "ok": True, "battery": 80},
]
BAD = [
    {"sensor": "s1", "at": "2024-05-01T10:00:00Z", "values": {"temp": "21.5"}, "ok": True},
    {"sensor": "s1", "at": "2024-05-01T10:00:00Z", "values": {"temp": None}, "ok": True},
    {"sensor": "s1", "at": "2024-05-01T10:00:00Z", "values": {}, "ok": "yes"},
    {"sensor": "s1", "at": "2024-05-01T25:00:00Z", "values": {}, "ok": True},
    {"sensor": "s1", "at": None, "values": {}, "ok": True},
    {"sensor": "s1", "at": "2024-05-01T10:00:00Z", "values": [1.0], "ok": True},
]
