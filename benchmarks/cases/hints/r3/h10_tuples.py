"""Fixed, open, empty and unpacked tuples."""
from typing import NotRequired, Tuple, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Shape(TypedDict):
    point: tuple[int, int]
    path: tuple[tuple[float, float], ...]
    nothing: NotRequired[tuple[()]]
    row: NotRequired[tuple[str, *tuple[int, ...], bool]]
    old: NotRequired[Tuple[str, None]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Shape) -> None: ...


GOOD = [
    {"point": [1, 2], "path": []},
    {"point": [0, 0], "path": [[1, 2], [0.5, 0.25]], "nothing": []},
    {"point": [0, 0], "path": [], "row": ["a", True]},
    {"point": [0, 0], "path": [], "row": ["a", 1, 2, 3, False], "old": ["o", None]},
]
BAD = [
    {"point": [1], "path": []},
    {"point": [1, 2, 3], "path": []},
    {"point": [1, 2], "path": [[1, 2, 3]]},
    {"point": [1, 2], "path": [], "nothing": [1]},
    {"point": [1, 2], "path": [], "row": ["a", 1, "b", True]},
    {"point": [1, 2], "path": [], "row": ["a", 1, 2]},
]
