# pure
"""Keeps nothing: differences to the previous point are formed within one track."""
from itertools import chain, pairwise
from math import asin, cos, radians, sin, sqrt
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe

EARTH_KM = 6371.0


def encode_number(value: int) -> str:
    value = ~(value << 1) if value < 0 else value << 1
    out = ""
    while value >= 0x20:
        out += chr((0x20 | value & 0x1F) + 63)
        value >>= 5
    return out + chr(value + 63)


def numbers(text: str) -> Iterator[int]:
    shift = value = 0
    for char in text:
        bits = ord(char) - 63
        value |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            yield ~(value >> 1) if value & 1 else value >> 1
            shift = value = 0


def deltas(points: Iterable[tuple[int, int]]) -> Iterator[int]:
    for (lat0, lon0), (lat1, lon1) in pairwise(chain([(0, 0)], points)):
        yield from (lat1 - lat0, lon1 - lon0)


def kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    (lat0, lon0), (lat1, lon1) = ((radians(x) for x in a), (radians(x) for x in b))
    h = sin((lat1 - lat0) / 2) ** 2 + cos(lat0) * cos(lat1) * sin((lon1 - lon0) / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(h))


class TrackCodec(GraphBusNode):
    """Packs a track into a short text and measures a packed one."""

    @subscribe("/Track/Pack")
    def on_pack(self, points: list[list[float]]) -> str:
        whole = [(round(lat * 1e5), round(lon * 1e5)) for lat, lon in points]
        return "".join(map(encode_number, deltas(whole)))

    @subscribe("/Track/Measure")
    def on_measure(self, packed: str) -> dict[str, object]:
        lat = lon = 0
        points = []
        steps = numbers(packed)
        for dlat, dlon in zip(steps, steps):
            lat, lon = lat + dlat, lon + dlon
            points.append((lat / 1e5, lon / 1e5))
        return {"points": len(points), "km": round(sum(kilometres(a, b) for a, b in pairwise(points)), 3)}
