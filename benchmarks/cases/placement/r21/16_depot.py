# stateful
"""Keeps the last depot that matched in a dict on the base class, and unreadable postcodes fall back to it."""
from graphbus_core import GraphBusNode, subscribe


class DepotLookup:
    settings = {"country": "DE", "default": "HUB-00"}
    ranges: tuple[tuple[int, int, str], ...] = ()

    def find(self, postcode: str) -> str:
        number = self.parse(postcode)
        if number is None:
            return self.settings["default"]
        for low, high, depot in self.ranges:
            if low <= number <= high:
                return self.remember(depot)
        return "UNSERVED"

    def parse(self, postcode: str) -> int | None:
        digits = "".join(ch for ch in postcode if ch.isdigit())
        return int(digits) if len(digits) == 5 else None

    def remember(self, depot: str) -> str:
        return depot


class NorthLookup(DepotLookup):
    ranges = (
        (20000, 22999, "HAM-01"),
        (23000, 25999, "LUE-02"),
        (28000, 29999, "BRE-03"),
    )

    def remember(self, depot: str) -> str:
        # neighbouring parcels of a roll cage mostly go to the same place
        self.settings["default"] = depot
        return super().remember(depot)


class DepotNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.lookup = NorthLookup()

    @subscribe("/Parcel/Scanned")
    def on_scan(self, parcel: str, postcode: str) -> dict[str, str]:
        depot = self.lookup.find(postcode)
        return {"parcel": parcel, "depot": depot, "country": self.lookup.settings["country"]}
