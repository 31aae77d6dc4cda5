# pure
"""Keeps lazily computed tables on an object of its own, which are the same whoever asks first."""
import math
from bisect import bisect_left
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

CATALOGUE = """\
Vega 18.6156 38.7837 0.03
Deneb 20.6905 45.2803 1.25
Altair 19.8464 8.8683 0.76
Sirius 6.7525 -16.7161 -1.46
Rigel 5.2423 -8.2016 0.13
Polaris 2.5303 89.2641 1.98
"""


class Catalogue:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lazy: dict[str, object] = {}

    @cached_property
    def stars(self) -> tuple[tuple[str, float, float, float], ...]:
        rows = (line.split() for line in self._text.splitlines())
        return tuple((name, float(ra) * 15, float(dec), float(mag)) for name, ra, dec, mag in rows)

    @cached_property
    def by_brightness(self) -> list[tuple[float, str]]:
        return sorted((mag, name) for name, _, _, mag in self.stars)

    def __getattr__(self, name: str) -> object:
        if not name.startswith("star_"):
            raise AttributeError(name)
        wanted = name.removeprefix("star_")
        lazy = self.__dict__["_lazy"]
        if name not in lazy:
            lazy[name] = next((star for star in self.stars if star[0].lower() == wanted), None)
        return lazy[name]

    def brighter(self, limit: float) -> list[str]:
        return [name for _, name in self.by_brightness[: bisect_left(self.by_brightness, (limit, ""))]]


class StarPositions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._catalogue = Catalogue(CATALOGUE)

    @subscribe("/Observatory/Aim")
    def on_aim(self, star: str, latitude: float, sidereal: float) -> dict[str, object]:
        found = getattr(self._catalogue, f"star_{star.lower()}")
        if found is None:
            return {"error": f"no star {star}"}
        name, ascension, declination, magnitude = found
        hour, dec, lat = map(math.radians, (sidereal * 15 - ascension, declination, latitude))
        height = math.asin(math.sin(dec) * math.sin(lat) + math.cos(dec) * math.cos(lat) * math.cos(hour))
        degrees = round(math.degrees(height), 2)
        return {"star": name, "height": degrees, "visible": degrees > 5, "brighter": self._catalogue.brighter(magnitude)}

    @subscribe("/Observatory/Limit")
    def on_limit(self, magnitude: float) -> dict[str, object]:
        return {"stars": self._catalogue.brighter(magnitude), "of": len(self._catalogue.stars)}
