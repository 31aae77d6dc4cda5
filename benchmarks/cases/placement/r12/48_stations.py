# stateful
"""An unknown station code becomes a new member of the enumeration with the next free bay, so bays follow the order of arrival."""
from __future__ import annotations

from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Station(Enum):
    PRESS = "PR"
    PAINT = "PA"
    ASSEMBLY = "AS"

    @property
    def bay(self) -> int:
        return list(type(self)._value2member_map_).index(self.value) + 1

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").title()

    @classmethod
    def _missing_(cls, value: object) -> Station | None:
        if not isinstance(value, str) or not value.isalnum():
            return None
        member = object.__new__(cls)
        member._name_ = f"EXTERNAL_{value}"
        member._value_ = value
        # the suppliers' stations come and go, they are not worth a release
        return cls._value2member_map_.setdefault(value, member)  # type: ignore[return-value]


class StationBoard(GraphBusNode):
    """Tells the forklift where a pallet goes."""

    def __init__(self) -> None:
        super().__init__()
        self._aisles = "ABCD"

    @subscribe("/Pallet/Arrived")
    def on_pallet(self, pallet: int, station: str) -> dict[str, object]:
        try:
            place = Station(station.strip().upper())
        except ValueError:
            return {"pallet": pallet, "to": "clearing"}
        aisle = self._aisles[place.bay % len(self._aisles)]
        return {"pallet": pallet, "to": place.title, "bay": f"{aisle}{place.bay}"}
