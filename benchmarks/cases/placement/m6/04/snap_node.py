from graphbus_core import GraphBusNode, subscribe

from shapes import Point
from snapping import snap


class SnapNode(GraphBusNode):
    @subscribe("/Snap")
    def on_stroke(self, start: list[float], end: list[float]) -> dict:
        a = snap(Point.of(start))
        b = snap(Point.of(end))
        return {"start": list(a), "end": list(b), "length": round(a.distance(b), 4)}
