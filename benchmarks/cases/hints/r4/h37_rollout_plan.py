from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Window(TypedDict):
    opens: time
    closes: time


@dataclass
class Stage:
    percent: Literal[1, 10, 50, 100]
    not_before: datetime | None
    windows: dict[Literal["weekday", "weekend"], Window] = field(default_factory=dict)


@dataclass
class Rollout:
    firmware: str
    targets: set[str]
    stages: tuple[Stage, ...]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Rollout) -> None: ...


GOOD = [
    {"firmware": "1.2", "targets": [], "stages": []},
    {"firmware": "1.2", "targets": ["eu", "us"], "stages": [
        {"percent": 1, "not_before": None},
        {"percent": 100, "not_before": "2024-05-01T10:00:00+00:00",
         "windows": {"weekend": {"opens": "22:00:00", "closes": "23:30:00"}}}]},
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": 50, "not_before": None, "windows": {}}]},
]
BAD = [
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": 25, "not_before": None}]},
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": True, "not_before": None}]},
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": 1}]},
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": 1, "not_before": None,
     "windows": {"sunday": {"opens": "22:00:00", "closes": "23:30:00"}}}]},
    {"firmware": "1.2", "targets": ["eu"], "stages": [{"percent": 1, "not_before": None,
     "windows": {"weekday": {"opens": "22:00:00", "closes": "late"}}}]},
    {"firmware": "1.2", "targets": "eu", "stages": []},
]
