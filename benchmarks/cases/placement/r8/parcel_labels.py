# stateful
"""Keeps every surcharge ever added: the helper's default list is made once and shared by all calls."""
import re
from dataclasses import dataclass
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

POSTCODE = re.compile(r"^(?P<zone>[A-Z]{1,2})\d{1,2}$")
REMOTE = {"HS", "ZE", "KW", "IM"}


@dataclass(frozen=True)
class Surcharge:
    code: str
    amount: Decimal


def surcharges_for(zone: str, weight: float, extra: list[Surcharge] = []) -> list[Surcharge]:
    if zone in REMOTE:
        extra.append(Surcharge("REMOTE", Decimal("6.50")))
    if weight > 20:
        extra.append(Surcharge("HEAVY", Decimal("3.20")))
    return extra


def base_rate(weight: float) -> Decimal:
    if weight <= 2:
        return Decimal("3.10")
    if weight <= 10:
        return Decimal("5.40")
    return Decimal("9.90")


class ParcelLabels(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.currency = "GBP"

    @subscribe("/Parcels/Booked")
    def on_booked(self, postcode: str, weight: float) -> dict[str, object]:
        match = POSTCODE.match(postcode.strip().upper())
        if match is None:
            return {"ok": False, "reason": "postcode"}
        added = surcharges_for(match.group("zone"), weight)
        total = base_rate(weight) + sum((s.amount for s in added), Decimal(0))
        return {"ok": True, "total": f"{total} {self.currency}", "codes": [s.code for s in added]}
