# pure
"""The class-wide memo is keyed by everything the tile depends on and gives out tuples that cannot be changed."""
import math
from typing import ClassVar, NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Tile(NamedTuple):
    zoom: int
    x: int
    y: int

    def parent(self) -> "Tile":
        return Tile(self.zoom - 1, self.x // 2, self.y // 2) if self.zoom else self

    def quadkey(self) -> str:
        digits = []
        for z in range(self.zoom, 0, -1):
            mask = 1 << (z - 1)
            digits.append(str(bool(self.x & mask) + 2 * bool(self.y & mask)))
        return "".join(digits)


class TileIndex:
    _memo: ClassVar[dict[tuple[int, int, int], Tile]] = {}
    _LIMIT: ClassVar[int] = 1000

    @classmethod
    def locate(cls, lat_e5: int, lon_e5: int, zoom: int) -> Tile:
        key = (lat_e5, lon_e5, zoom)
        tile = cls._memo.get(key)
        if tile is None:
            if len(cls._memo) >= cls._LIMIT:
                cls._memo.clear()
            tile = cls._memo[key] = cls._project(lat_e5 / 1e5, lon_e5 / 1e5, zoom)
        return tile

    @staticmethod
    def _project(lat: float, lon: float, zoom: int) -> Tile:
        n = 1 << zoom
        phi = math.radians(max(-85.05, min(85.05, lat)))
        x = int((lon + 180) / 360 * n) % n
        y = int((1 - math.asinh(math.tan(phi)) / math.pi) / 2 * n)
        return Tile(zoom, x, max(0, min(n - 1, y)))


class TileServer(GraphBusNode):
    @subscribe("/Map/View")
    def on_view(self, lat_e5: int, lon_e5: int, zoom: int) -> dict[str, object]:
        zoom = max(0, min(18, zoom))
        tile = TileIndex.locate(int(lat_e5), int(lon_e5), zoom)
        chain = []
        while tile.zoom:
            chain.append(tile.quadkey())
            tile = tile.parent()
        return {"zoom": zoom, "tile": chain[0] if chain else "", "fallbacks": chain[1:4]}
