from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Fix(NamedTuple):
    lat: float
    lon: float
    label: str | None


@dataclass
class Track:
    vehicle: str
    started: datetime
    fixes: list[Fix]
    bounds: tuple[tuple[float, float], tuple[float, float]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Track) -> None: ...


GOOD = [
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [], "bounds": [[0, 0], [1.5, 2.5]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [[1.5, 2, "home"], [1.5, 2.1, None]],
     "bounds": [[0.0, 0.0], [1.5, 2.5]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [[1, 2, None]],
     "bounds": [[0.0, 0.0], [1.5, 2.5]], "driver": "Bo"},
]
BAD = [
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [], "bounds": [[0, 0]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [], "bounds": [[0, 0], [1, "2"]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [["x", 2.0, None]],
     "bounds": [[0, 0], [1, 2]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [[1.0, 2.0, "a", "b"]],
     "bounds": [[0, 0], [1, 2]]},
    {"vehicle": "v1", "started": "2024-05-01T10:00:00+00:00", "fixes": [[1.0]], "bounds": [[0, 0], [1, 2]]},
]
