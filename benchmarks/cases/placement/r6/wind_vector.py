# stateful
"""The memo takes 0.0 and -0.0 for the same argument, and atan2 does not."""
import functools
import math

from graphbus_core import GraphBusNode, subscribe

POINTS = ["E", "NE", "N", "NW", "W", "SW", "S", "SE"]


@functools.cache
def heading(u: float, v: float) -> float:
    return math.degrees(math.atan2(v, u))


def compass(angle: float) -> str:
    return POINTS[round(angle / 45.0) % 8]


class WindVector(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._calm = 0.2

    @subscribe("/weather/components")
    def on_components(self, u: float, v: float) -> dict[str, object]:
        speed = math.hypot(u, v)
        if speed < self._calm:
            return {"speed": round(speed, 2), "from": "calm"}
        angle = heading(u, v)
        return {
            "speed": round(speed, 2),
            "angle": round(angle, 1),
            "from": compass(angle + 180.0),
        }
