from graphbus_core import GraphBusNode, subscribe

from shapes import Point, Polygon
from snapping import TOLERANCE, hull


class HullNode(GraphBusNode):
    @subscribe("/Hull")
    def on_points(self, points: list[list[float]]) -> dict:
        corners = hull([Point.of(p) for p in points])
        outline = Polygon(corners)
        return {
            "corners": [list(c) for c in corners],
            "area": round(outline.area(), 4),
            "perimeter": round(outline.perimeter(), 4),
            "tiny": outline.perimeter() < 4 * TOLERANCE,
        }
