# pure
"""A cached property holds the curve of a port, which never changes."""
from functools import cached_property
from math import cos, pi

from graphbus_core import GraphBusNode, subscribe

CONSTITUENTS = {
    "brest": (4.1, [(2.05, 12.42, 0.4), (0.75, 12.0, 1.1)]),
    "dover": (3.8, [(2.25, 12.42, 2.6), (0.7, 12.0, 3.0)]),
}
KEEL = 0.5


class Port:
    def __init__(self, mean: float, waves: list[tuple[float, float, float]]) -> None:
        self.mean = mean
        self.waves = waves

    def height(self, hours: float) -> float:
        return self.mean + sum(a * cos(2 * pi * hours / t - p) for a, t, p in self.waves)

    @cached_property
    def curve(self) -> list[float]:
        return [round(self.height(step / 2), 2) for step in range(49)]


PORTS = {name: Port(*data) for name, data in CONSTITUENTS.items()}


class Pilotage(GraphBusNode):
    @subscribe("/Query")
    def on_query(self, port: str, hours: float, draught: float) -> dict[str, object]:
        depth = PORTS[port].height(hours)
        return {"depth": round(depth, 2), "clear": depth - draught > KEEL}

    @subscribe("/Window")
    def on_window(self, port: str, draught: float) -> dict[str, object]:
        open_at = [i / 2 for i, h in enumerate(PORTS[port].curve) if h - draught > KEEL]
        return {"port": port, "half_hours": len(open_at), "first": open_at[0] if open_at else None}
