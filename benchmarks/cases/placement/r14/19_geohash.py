# pure
"""Arithmetic on the arguments only."""
from graphbus_core import GraphBusNode, subscribe

_ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz"
_BITS = 5


def encode(latitude: float, longitude: float, length: int) -> str:
    """The geohash of a point, longitude bit first."""
    spans = [[-180.0, 180.0], [-90.0, 90.0]]
    values = (longitude, latitude)
    letters: list[str] = []
    turn = 0
    for _ in range(length):
        index = 0
        for _ in range(_BITS):
            span = spans[turn]
            middle = (span[0] + span[1]) / 2
            upper = values[turn] >= middle
            span[0 if upper else 1] = middle
            index = index << 1 | upper
            turn ^= 1
        letters.append(_ALPHABET[index])
    return "".join(letters)


class Geohash(GraphBusNode):
    """Gives vehicles the cell that the map tiles are keyed by."""

    def __init__(self, length: int = 7) -> None:
        super().__init__()
        self.length = length

    @subscribe("/Vehicle/Position")
    def on_event(self, vehicle: str, latitude: float, longitude: float) -> dict[str, str]:
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            return {"vehicle": vehicle, "cell": ""}
        return {"vehicle": vehicle, "cell": encode(latitude, longitude, self.length)}
