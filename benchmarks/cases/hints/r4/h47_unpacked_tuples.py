from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from graphbus_core import GraphBusNode, subscribe

Coord = tuple[float, float]


class Route(TypedDict):
    stops: tuple[str, *tuple[str, ...]]
    log: tuple[Literal["v1"], *tuple[int, ...], bool]
    legs: tuple[Unpack[Coord], str]
    nothing: tuple[()]


@dataclass
class RoutePlanned:
    truck: str
    route: Route
    alternatives: tuple[Route, ...] = ()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: RoutePlanned) -> None: ...


GOOD = [
    {"truck": "t", "route": {"stops": ["a"], "log": ["v1", True], "legs": [1, 2.5, "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a", "b", "c"], "log": ["v1", 1, 2, 3, False], "legs": [1.5, 2.5, "km"],
                             "nothing": []}, "alternatives": []},
    {"truck": "t", "route": {"stops": ["a", "b"], "log": ["v1", 1, False], "legs": [1.5, 2.5, ""], "nothing": []},
     "alternatives": [{"stops": ["z"], "log": ["v1", True], "legs": [0.5, 0.5, "mi"], "nothing": []}]},
]
BAD = [
    {"truck": "t", "route": {"stops": [], "log": ["v1", True], "legs": [1.5, 2.5, "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a", 2], "log": ["v1", True], "legs": [1.5, 2.5, "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a"], "log": ["v1", "x", True], "legs": [1.5, 2.5, "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a"], "log": ["v1", 1], "legs": [1.5, 2.5, "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a"], "log": ["v1", True], "legs": [[1.5, 2.5], "km"], "nothing": []}},
    {"truck": "t", "route": {"stops": ["a"], "log": ["v1", True], "legs": [1.5, 2.5, "km"], "nothing": [None]}},
]
