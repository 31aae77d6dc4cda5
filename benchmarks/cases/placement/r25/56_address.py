# pure
"""Keeps nothing: an address is parsed, tidied and given back."""
from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

_TOWN = re.compile(r"^(?:(?P<cc>[A-Z]{1,2})-)?(?P<zip>\d{4,5})\s+(?P<town>.+)$")


@dataclass
class Address:
    street: str
    house: str
    zip: str
    town: str
    country: str = "D"

    def __post_init__(self) -> None:
        self.street = re.sub(r"str\.?$", "straße", self.street.strip())
        self.town = self.town.strip().title()

    @cached_property
    def one_line(self) -> str:
        return f"{self.street} {self.house}, {self.country}-{self.zip} {self.town}"

    @classmethod
    def parse(cls, text: str) -> Address | None:
        first, _, second = text.partition(",")
        street, _, house = first.strip().rpartition(" ")
        match = _TOWN.match(second.strip())
        if not street or match is None:
            return None
        return cls(street, house, match["zip"], match["town"], match["cc"] or "D")


class Addresses(GraphBusNode):
    @subscribe("/crm/address")
    def on_address(self, address: str) -> dict[str, str]:
        parsed = Address.parse(address)
        if parsed is None:
            return {"error": f"cannot read {address!r}"}
        return asdict(parsed) | {"line": parsed.one_line}
