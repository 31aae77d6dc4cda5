"""tuple forms: fixed, variadic, empty tuple[()], and a fixed tuple of variadic ones."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Shape:
    origin: tuple[int, int]
    path: tuple[tuple[float, float], ...]
    marker: tuple[()] = ()
    bands: tuple[str, tuple[int, ...]] = ("none", ())


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Shape) -> None:
        self.got = payload


GOOD = [
    {"origin": [0, 0], "path": []},
    {"origin": [0, 0], "path": [[0.5, 1], [2, 2]], "marker": [], "bands": ["red", [1, 2, 3]]},
]
BAD = [
    {"origin": [0], "path": []},
    {"origin": [0, 0, 0], "path": []},
    {"origin": [0, 0], "path": [[0.5, 1, 2]]},
    {"origin": [0, 0], "path": [], "marker": [1]},
    {"origin": [0, 0], "path": [], "bands": ["red", 1, 2, 3]},
    {"origin": [0, 0], "path": [0.5, 1.5]},
]
