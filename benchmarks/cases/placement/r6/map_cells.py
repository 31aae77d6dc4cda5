# pure
"""Cells once computed are kept, a few hundred of them, under everything they are computed from."""
from graphbus_core import GraphBusNode, subscribe

ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz"


def geohash(lat: float, lon: float, digits: int) -> str:
    south, north, west, east = -90.0, 90.0, -180.0, 180.0
    bits, value, text, lengthwise = 0, 0, [], True
    while len(text) < digits:
        if lengthwise:
            middle = (west + east) / 2
            upper = lon >= middle
            west, east = (middle, east) if upper else (west, middle)
        else:
            middle = (south + north) / 2
            upper = lat >= middle
            south, north = (middle, north) if upper else (south, middle)
        lengthwise = not lengthwise
        value = value * 2 + upper
        bits += 1
        if bits == 5:
            text.append(ALPHABET[value])
            bits = value = 0
    return "".join(text)


class MapCells(GraphBusNode):
    KEEP = 8

    def __init__(self) -> None:
        super().__init__()
        self._cells: dict[tuple[float, float, int], str] = {}

    def _cell(self, lat: float, lon: float, digits: int) -> str:
        key = (lat, lon, digits)
        if key in self._cells:
            self._cells[key] = cell = self._cells.pop(key)
            return cell
        while len(self._cells) >= self.KEEP:
            del self._cells[next(iter(self._cells))]
        cell = self._cells[key] = geohash(lat, lon, digits)
        return cell

    @subscribe("/position")
    def on_position(self, vehicle: str, lat: float, lon: float) -> dict[str, str]:
        lat, lon = round(lat, 4), round(lon, 4)
        return {"vehicle": vehicle, "cell": self._cell(lat, lon, 7), "area": self._cell(lat, lon, 4)}
