from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, Optional
from uuid import UUID
from graphbus_core import GraphBusNode, subscribe


class State(Enum):
    ON = "on"
    OFF = "off"
    FAULT = "fault"


@dataclass(frozen=True)
class Firmware:
    major: int
    minor: int = 0


@dataclass(frozen=True)
class Device:
    id: UUID
    state: State
    firmware: Optional[Firmware]
    labels: Dict[str, str]
    history: List[State]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Device) -> None: ...


GOOD = [
    {"id": "12345678-1234-5678-1234-567812345678", "state": "on", "firmware": None, "labels": {}, "history": []},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "fault", "firmware": {"major": 1}, "labels": {"a": "b"}, "history": ["on", "off", "on"]},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "off", "firmware": {"major": 1, "minor": 4}, "labels": {"a": ""}, "history": ["off"]},
]
BAD = [
    {"id": "12345678-1234-5678-1234-567812345678", "state": "on", "labels": {}, "history": []},
    {"id": "not-a-uuid", "state": "on", "firmware": None, "labels": {}, "history": []},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "ON", "firmware": None, "labels": {}, "history": []},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "on", "firmware": {"minor": 1}, "labels": {}, "history": []},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "on", "firmware": None, "labels": {"a": 1}, "history": []},
    {"id": "12345678-1234-5678-1234-567812345678", "state": "on", "firmware": None, "labels": {}, "history": ["on", "idle"]},
]
