# stateful
"""The merged view is a ChainMap whose first map is the shared table of overrides, so special prices stay there."""
from __future__ import annotations

from collections import ChainMap
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

STANDARD = {"letter": "0.95", "parcel": "5.49", "registered": "2.65", "express": "12.90"}
SEASON = {"parcel": "6.19"}
ZONES = {"home": Decimal("1"), "europe": Decimal("1.6"), "world": Decimal("2.4")}


class PriceBook:
    def __init__(self, *tables: dict[str, str]) -> None:
        self.view = ChainMap(*tables)

    def special(self, quoted: dict[str, str]) -> "PriceBook":
        for service, amount in quoted.items():
            if service in self.view:
                self.view[service] = amount
        return self

    def quote(self, service: str, pieces: int, zone: str) -> Decimal:
        unit = Decimal(self.view[service]) * ZONES[zone]
        rebate = Decimal("0.9") if pieces >= 20 else Decimal("1")
        return (unit * pieces * rebate).quantize(Decimal("0.01"))


def parse_contract(text: str) -> dict[str, str]:
    pairs = (part.split("=") for part in text.split(";") if "=" in part)
    return {name.strip(): amount.strip() for name, amount in pairs}


class PostOffice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.seasonal = dict(SEASON)

    @subscribe("/Post/Quote")
    def on_quote(self, service: str, pieces: int, zone: str, contract: str) -> dict[str, object]:
        book = PriceBook(self.seasonal, STANDARD).special(parse_contract(contract))
        if service not in STANDARD or zone not in ZONES:
            return {"error": "not offered"}
        return {"service": service, "total": str(book.quote(service, pieces, zone))}
