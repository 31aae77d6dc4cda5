# pure
"""Keeps nothing: the zone map is built at import from literals and only read."""
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

_RANGES = [("01", "09", 2), ("10", "19", 3), ("20", "29", 4), ("30", "69", 1), ("70", "99", 2)]


def _expand() -> dict[str, int]:
    table = {}
    for first, last, zone in _RANGES:
        for number in range(int(first), int(last) + 1):
            table[f"{number:02d}"] = zone
    return table


ZONES = MappingProxyType(_expand())


class FloodZone(GraphBusNode):
    loading = {1: 0, 2: 5, 3: 15, 4: 40}

    def _zone(self, postcode: str, river_m: int) -> int:
        zone = ZONES.get(postcode[:2], 2)
        if river_m < 100:
            zone = min(4, zone + 1)
        elif river_m > 2000:
            zone = max(1, zone - 1)
        return zone

    @subscribe("/Risk/Flood")
    def assess(self, postcode: str, river_m: int, cellar: bool) -> dict[str, object]:
        zone = self._zone(postcode.strip(), river_m)
        percent = self.loading[zone]
        if cellar and zone > 2:
            percent += 10
        return {"zone": zone, "loading": percent, "insurable": not (zone == 4 and river_m < 30)}
