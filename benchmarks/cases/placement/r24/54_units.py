# pure
"""The path through the unit graph is searched afresh each time; the graph is a constant."""
from collections import deque
from typing import Callable, Dict

from graphbus_core import GraphBusNode, subscribe

Edge = Callable[[float], float]


def linear(a: float, b: float = 0.0):
    return (lambda x: a * x + b), (lambda x: (x - b) / a)


LINKS = [
    ("C", "K", *linear(1, 273.15)),
    ("C", "F", *linear(1.8, 32)),
    ("mi", "km", *linear(1.609344)),
    ("km", "m", *linear(1000)),
    ("lb", "kg", *linear(0.45359237)),
    ("bar", "kPa", *linear(100)),
    ("psi", "kPa", *linear(6.894757)),
]


def build(links) -> Dict[str, Dict[str, Edge]]:
    graph: Dict[str, Dict[str, Edge]] = {}
    for a, b, there, back in links:
        graph.setdefault(a, {})[b] = there
        graph.setdefault(b, {})[a] = back
    return graph


class UnitConverter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.graph = build(LINKS)

    def _route(self, source, target):
        todo, came = deque([source]), {source: None}
        while todo:
            here = todo.popleft()
            if here == target:
                break
            for there in self.graph.get(here, ()):
                if there not in came:
                    came[there] = here
                    todo.append(there)
        else:
            return None
        path = [target]
        while came[path[-1]] is not None:
            path.append(came[path[-1]])
        return path[::-1]

    @subscribe("/units/convert")
    def on_convert(self, value: float, source: str, target: str) -> dict:
        path = self._route(source, target)
        if path is None:
            return {"error": f"{source} and {target} measure different things"}
        for a, b in zip(path, path[1:]):
            value = self.graph[a][b](value)
        return {"value": round(value, 6), "via": path[1:-1]}
