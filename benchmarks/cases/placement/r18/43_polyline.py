# pure
"""Keeps nothing: the encoder's running deltas live in a closure made for one track."""
from __future__ import annotations

from collections.abc import Callable
from math import asin, cos, radians, sin, sqrt

from graphbus_core import GraphBusNode, subscribe

EARTH_KM = 6371.0088
MODES = {"walk": 5.0, "bike": 17.0, "truck": 62.0}


def delta_encoder(precision: int) -> Callable[[float], str]:
    previous = 0

    def encode(value: float) -> str:
        nonlocal previous
        scaled = round(value * 10 ** precision)
        step, previous = scaled - previous, scaled
        bits = ~(step << 1) if step < 0 else step << 1
        out = []
        while bits >= 0x20:
            out.append(chr((0x20 | bits & 0x1F) + 63))
            bits >>= 5
        out.append(chr(bits + 63))
        return "".join(out)

    return encode


def polyline(track: list[list[float]], precision: int = 5) -> str:
    lat, lon = delta_encoder(precision), delta_encoder(precision)
    return "".join(lat(a) + lon(b) for a, b in track)


def haversine(a: list[float], b: list[float]) -> float:
    (la, lo), (lb, lp) = map(radians, a), map(radians, b)
    h = sin((lb - la) / 2) ** 2 + cos(la) * cos(lb) * sin((lp - lo) / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(h))


class Tracks(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.speeds = dict(MODES)

    @subscribe("/Gps/Track")
    def on_track(self, track: list[list[float]], mode: str) -> dict[str, object]:
        km = sum(haversine(a, b) for a, b in zip(track, track[1:]))
        speed = self.speeds.get(mode, MODES["walk"])
        return {
            "line": polyline(track),
            "km": round(km, 2),
            "minutes": round(km / speed * 60),
            "box": [min(p[0] for p in track), min(p[1] for p in track), max(p[0] for p in track), max(p[1] for p in track)]
            if track else [],
        }
