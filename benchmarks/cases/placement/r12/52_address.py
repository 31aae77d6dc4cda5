# pure
"""Unknown spellings are looked up among the fixed members of the enumeration, which never grows."""
from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Way(Enum):
    STREET = "street"
    AVENUE = "avenue"
    SQUARE = "square"
    LANE = "lane"

    @classmethod
    def _missing_(cls, value: object) -> Way | None:
        text = str(value).lower().rstrip(".")
        for member in cls:
            if text and (member.value.startswith(text) or text in ALIASES[member.value]):
                return member
        return None

    @property
    def short(self) -> str:
        return self.value[:2].title() + "."


ALIASES = {"street": {"str", "strt"}, "avenue": {"ave", "av"}, "square": {"sq", "plaza"}, "lane": {"ln"}}

_DISTRICTS = ((1000, "Centre"), (2000, "Harbour"), (3500, "Hills"), (5000, "Airport"), (8000, "Country"))
_STARTS = [start for start, _ in _DISTRICTS]


class Address(NamedTuple):
    name: str
    way: Way
    number: int

    @classmethod
    def parse(cls, text: str) -> Address:
        words = text.replace(",", " ").split()
        number = next((int(w) for w in words if w.isdecimal()), 0)
        rest = [w for w in words if not w.isdecimal()]
        if len(rest) < 2:
            raise ValueError(f"too short: {text!r}")
        *name, kind = rest
        return cls(" ".join(name).title(), Way(kind), number)

    def __str__(self) -> str:
        return f"{self.name} {self.way.short} {self.number or 's/n'}"


def district(postcode: int) -> str:
    place = bisect_right(_STARTS, postcode) - 1
    return _DISTRICTS[place][1] if place >= 0 else "unknown"


class AddressBook(GraphBusNode):
    @subscribe("/Address/Typed")
    def on_typed(self, text: str, postcode: int) -> dict[str, object]:
        try:
            address = Address.parse(text)
        except ValueError as error:
            return {"error": str(error), "district": district(postcode)}
        return {"address": str(address), "side": "even" if address.number % 2 == 0 else "odd", "district": district(postcode)}
