# stateful
"""A cycle in a closure hands the parcels to the couriers of a district in turn."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle

from graphbus_core import GraphBusNode, subscribe

ROSTER: dict[str, Sequence[str]] = {
    "north": ("mia", "jon", "lea"),
    "south": ("ole", "kim"),
    "harbour": ("pit",),
}


def picker(names: Sequence[str]) -> Callable[[], str]:
    wheel = cycle(names)

    def pick() -> str:
        return next(wheel)

    return pick


PICKERS = {district: picker(names) for district, names in ROSTER.items()}


@dataclass(frozen=True)
class Window:
    opens: int
    closes: int

    def fits(self, hour: int) -> bool:
        return self.opens <= hour < self.closes

    def __str__(self) -> str:
        return f"{self.opens:02d}:00-{self.closes:02d}:00"


WINDOWS = [Window(8, 11), Window(11, 14), Window(14, 18), Window(18, 21)]
MINUTES = {"north": 35, "south": 50, "harbour": 80}


def window_after(hour: int, district: str) -> str:
    arrival = hour + MINUTES[district] // 30
    for window in WINDOWS:
        if window.fits(arrival):
            return str(window)
    return f"tomorrow {WINDOWS[0]}"


def district_of(postcode: str) -> str:
    match postcode[:1]:
        case "1" | "2":
            return "north"
        case "3":
            return "harbour"
        case _:
            return "south"


class Dispatch(GraphBusNode):
    @subscribe("/parcels/ready")
    def on_ready(self, parcel: str, postcode: str, fragile: bool, hour: int) -> dict[str, object]:
        district = district_of(postcode)
        courier = PICKERS[district]()
        return {
            "parcel": parcel,
            "district": district,
            "courier": courier,
            "window": window_after(hour, district),
            "note": "handle with care" if fragile else "",
        }
