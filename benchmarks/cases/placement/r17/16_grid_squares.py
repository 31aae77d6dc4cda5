# pure
"""The memo on the node and its hit counter change no answer: a forgotten or remembered square is computed the same."""
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

EARTH_KM = 6371.0088
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"


@dataclass(frozen=True)
class Point:
    lat: float
    lon: float

    def __post_init__(self) -> None:
        if not (-90 <= self.lat < 90 and -180 <= self.lon < 180):
            raise ValueError(f"{self.lat}/{self.lon} is not on the map")

    def distance(self, other: "Point") -> float:
        lat1, lat2 = math.radians(self.lat), math.radians(other.lat)
        dlat, dlon = lat2 - lat1, math.radians(other.lon - self.lon)
        a = math.sin(dlat / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(dlon / 2) ** 2
        return 2 * EARTH_KM * math.asin(math.sqrt(a))


def square_of(point: Point) -> str:
    """The Maidenhead locator, six characters."""
    lon, lat = point.lon + 180, point.lat + 90
    field = LETTERS[int(lon // 20)] + LETTERS[int(lat // 10)]
    digits = f"{int(lon % 20 // 2)}{int(lat % 10)}"
    small = LETTERS[int(lon % 2 * 12)] + LETTERS[int(lat % 1 * 24)]
    return field + digits + small.lower()


class Memo:
    """Remembers the newest results of a function of one argument."""

    def __init__(self, function: Callable[[Point], str], size: int) -> None:
        self._function = function
        self._size = size
        self._known: OrderedDict[Point, str] = OrderedDict()
        self.hits = 0

    def __call__(self, point: Point) -> str:
        if point in self._known:
            self.hits += 1
            self._known.move_to_end(point)
            return self._known[point]
        result = self._known[point] = self._function(point)
        if len(self._known) > self._size:
            self._known.popitem(last=False)
        return result


class GridSquares(GraphBusNode):
    HOME = Point(52.3759, 9.732)

    def __init__(self) -> None:
        super().__init__()
        self._square = Memo(square_of, size=4)

    @subscribe("/Radio/Contact")
    def on_contact(self, callsign: str, lat: float, lon: float) -> dict[str, object]:
        try:
            point = Point(lat, lon)
        except ValueError as error:
            return {"callsign": callsign, "error": str(error)}
        square = self._square(point)
        home = self._square(self.HOME)
        return {
            "callsign": callsign.upper(),
            "square": square,
            "km": round(self.HOME.distance(point), 1),
            "same_field": square[:2] == home[:2],
        }
