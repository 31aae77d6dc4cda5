from typing import NotRequired, Tuple, TypedDict
from graphbus_core import GraphBusNode, subscribe

Point = Tuple[float, float]


class Route(TypedDict):
    name: str
    start: Point
    path: list[Point]
    bbox: NotRequired[tuple[Point, Point]]
    codes: NotRequired[Tuple[int, ...]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Route) -> None: ...


GOOD = [
    {"name": "n", "start": [1.5, 2], "path": []},
    {"name": "n", "start": [0, 0], "path": [[1, 2], [3.5, 4.5]], "bbox": [[0, 0], [1, 1]]},
    {"name": "n", "start": [0, 0], "path": [], "codes": []},
    {"name": "n", "start": [0, 0], "path": [], "codes": [1, 2, 3]},
]
BAD = [
    {"name": "n", "start": [1.5], "path": []},
    {"name": "n", "start": [1.5, 2, 3], "path": []},
    {"name": "n", "start": [0, 0], "path": [[1, "2"]]},
    {"name": "n", "start": [0, 0], "path": [], "bbox": [[0, 0]]},
    {"name": "n", "start": [0, 0], "path": [], "codes": [1, 2.5]},
    {"name": "n", "start": {"x": 0, "y": 0}, "path": []},
]
