# pure
"""Keeps a bounded, locked cache from coordinates to a tile code; what is evicted is computed again to the same value."""
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from graphbus_core import GraphBusNode, subscribe

ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz"


class Bounded:
    def __init__(self, size: int, compute: Callable[..., str]) -> None:
        self._size = size
        self._compute = compute
        self._entries: OrderedDict[Hashable, str] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, *key: Hashable) -> str:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
        value = self._compute(*key)
        with self._lock:
            self._entries[key] = value
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        return value


def geohash(latitude: float, longitude: float, length: int) -> str:
    ranges = [[-180.0, 180.0], [-90.0, 90.0]]
    values = (longitude, latitude)
    code = []
    for position in range(length):
        index = 0
        for bit in range(5):
            axis = (position * 5 + bit) % 2
            middle = sum(ranges[axis]) / 2
            upper = values[axis] >= middle
            ranges[axis][0 if upper else 1] = middle
            index = index * 2 + upper
        code.append(ALPHABET[index])
    return "".join(code)


class GeoTiles(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._tile = Bounded(4, geohash)

    @subscribe("/Fleet/Position")
    def on_position(self, vehicle: str, latitude: float, longitude: float, zoom: int) -> dict:
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            return {"vehicle": vehicle, "error": "no such place"}
        tile = self._tile(round(latitude, 5), round(longitude, 5), max(1, min(zoom, 9)))
        return {"vehicle": vehicle, "tile": tile, "parent": tile[:-1]}
