"""attrs.define classes with factories, nested in one another."""
import attrs

from graphbus_core import GraphBusNode, subscribe


@attrs.define
class Point:
    x: float
    y: float
    z: float = 0.0


@attrs.frozen(kw_only=True)
class Route:
    name: str = "unnamed"
    stops: list[Point] = attrs.field(factory=list)
    start: Point
    notes: dict[str, str] = attrs.Factory(dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Route) -> None:
        self.got = payload


GOOD = [
    {"start": {"x": 0, "y": 1.5}},
    {"name": "n", "start": {"x": 0.0, "y": 1.5, "z": 2}, "stops": [{"x": 1, "y": 1}], "notes": {"a": "b"}},
]
BAD = [
    {"name": "n"},
    {"start": {"x": 0}},
    {"start": {"x": 0, "y": "north"}},
    {"start": {"x": 0, "y": 1}, "stops": [[1, 1]]},
    {"start": {"x": 0, "y": 1}, "name": None},
]
