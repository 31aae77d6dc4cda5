from dataclasses import dataclass
from datetime import datetime

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Position:
    lat: float
    lon: float
    altitude: float | None = None


@dataclass(frozen=True, slots=True)
class Telemetry:
    device_id: str
    at: datetime
    readings: dict[str, float]
    position: Position | None = None
    firmware: tuple[int, int, int] = (0, 0, 0)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Telemetry) -> None: ...


GOOD = [
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {"temp": 21.5, "rpm": 900}},
    {"device_id": "d1", "at": "2024-05-01T10:00:00", "readings": {}, "position": {"lat": 48.1, "lon": 11}},
    {"device_id": "d1", "at": "2024-05-01T10:00:00.250000+02:00", "readings": {},
     "position": {"lat": 48.1, "lon": 11.5, "altitude": None}, "firmware": [1, 4, 0]},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {}, "position": None},
]
BAD = [
    {"device_id": "d1", "at": "just now", "readings": {}},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {"temp": "21.5"}},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {}, "firmware": [1, 4]},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {}, "position": {"lat": 48.1}},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": {}, "firmware": None},
    {"device_id": "d1", "at": "2024-05-01T10:00:00+00:00", "readings": [["temp", 21.5]]},
]
