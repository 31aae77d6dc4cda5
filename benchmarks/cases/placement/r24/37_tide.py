# pure
"""Harmonic sums over constant tables; the hour comes with the event."""
from __future__ import annotations

import math
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Constituent(NamedTuple):
    speed: float      # degrees an hour
    amplitude: float  # metres
    phase: float      # degrees


SPEEDS = {"M2": 28.9841042, "S2": 30.0, "N2": 28.4397295, "K1": 15.0410686}
PORTS = {
    "brest": (4.05, {"M2": (2.05, 109.0), "S2": (0.75, 148.0), "N2": (0.42, 90.0), "K1": (0.06, 75.0)}),
    "cuxhaven": (2.10, {"M2": (1.38, 338.0), "S2": (0.36, 49.0), "N2": (0.22, 318.0)}),
}


def constituents(port: str) -> list[Constituent]:
    _, table = PORTS[port]
    return [Constituent(SPEEDS[name], a, p) for name, (a, p) in table.items()]


def height(mean: float, parts: list[Constituent], t: float) -> float:
    return mean + sum(
        c.amplitude * math.cos(math.radians(c.speed * t - c.phase)) for c in parts
    )


class TideTable(GraphBusNode):
    @subscribe("/harbour/ask")
    def on_ask(self, port: str, hour: int) -> dict:
        if port not in PORTS:
            return {"port": port, "known": False}
        mean, parts = PORTS[port][0], constituents(port)
        curve = [(height(mean, parts, hour + m / 10), m) for m in range(0, 130)]
        top, at = max(curve)
        now = curve[0][0]
        return {
            "port": port,
            "known": True,
            "now": round(now, 2),
            "rising": curve[1][0] > now,
            "next_high": round(top, 2),
            "minutes_to_high": at * 6,
        }
