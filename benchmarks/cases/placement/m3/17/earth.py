import math
from dataclasses import dataclass, field
from functools import lru_cache

RADIUS_KM = 6371.0088
BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"


@dataclass(frozen=True)
class Place:
    lat: float
    lon: float
    label: str = field(default="", compare=False)


@lru_cache(maxsize=256)
def distance(a: Place, b: Place) -> float:
    p, q = math.radians(a.lat), math.radians(b.lat)
    h = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin(math.radians(b.lon - a.lon) / 2) ** 2
    return round(2 * RADIUS_KM * math.asin(math.sqrt(h)), 2)


@lru_cache(maxsize=256)
def signpost(a: Place, b: Place) -> str:
    return f"{b.label or 'there'} {distance(a, b):.0f} km from {a.label or 'here'}"


def bisect_bits(value: float, low: float, high: float):
    while True:
        mid = (low + high) / 2
        if value >= mid:
            low = mid
            yield 1
        else:
            high = mid
            yield 0
