# stateful
"""Asking a defaultdict for a district puts the district in, and later events test whether it is in."""
from collections import defaultdict
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Zone:
    name: str
    cents_per_kg: int
    days: int


CITY = Zone("city", 90, 1)
RING = Zone("ring", 130, 2)
REMOTE = Zone("remote", 260, 5)


class ZoneMap:
    def __init__(self) -> None:
        self._by_district: defaultdict[str, Zone] = defaultdict(
            lambda: REMOTE, {"10": CITY, "11": CITY, "12": RING, "13": RING}
        )

    def __getitem__(self, postcode: str) -> Zone:
        return self._by_district[postcode[:2]]

    def __contains__(self, postcode: str) -> bool:
        return postcode[:2] in self._by_district


class Courier(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._zones = ZoneMap()

    @subscribe("/Parcel/Quote")
    def on_quote(self, postcode: str, grams: int) -> dict[str, object]:
        zone = self._zones[postcode]
        cents = zone.cents_per_kg * max(1, -(-grams // 1000))
        return {"zone": zone.name, "cents": cents, "days": zone.days}

    @subscribe("/Parcel/Pickup")
    def on_pickup(self, parcel: str, postcode: str) -> dict[str, str]:
        if postcode not in self._zones:
            return {"parcel": parcel, "by": "partner", "why": "outside of the map"}
        van = "bike" if self._zones[postcode] is CITY else "van"
        return {"parcel": parcel, "by": van, "why": self._zones[postcode].name}
