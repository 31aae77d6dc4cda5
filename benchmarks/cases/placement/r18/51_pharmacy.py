# stateful
"""Keeps the stock: the helper hands out rows of the module's formulary and the dose is taken off them."""
from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Drug:
    code: str
    name: str
    pack_size: int
    price: Decimal
    shelf: int


FORMULARY = {
    d.code: d
    for d in (
        Drug("AMX500", "Amoxicillin 500 mg", 20, Decimal("6.40"), 90),
        Drug("IBU400", "Ibuprofen 400 mg", 50, Decimal("4.15"), 200),
        Drug("MET850", "Metformin 850 mg", 60, Decimal("3.80"), 150),
        Drug("OMP20", "Omeprazole 20 mg", 28, Decimal("5.95"), 56),
    )
}
SUBSTITUTES = {"AMX500": "OMP20", "NAP250": "IBU400"}


def find(code: str) -> Drug | None:
    key = code.strip().upper()
    return FORMULARY.get(key) or FORMULARY.get(SUBSTITUTES.get(key, ""))


def reserve(drug: Drug, tablets: int) -> int:
    granted = min(drug.shelf, tablets)
    drug.shelf -= granted
    return granted


def label(drug: Drug, tablets: int, per_day: int) -> str:
    days = tablets // max(per_day, 1)
    return f"{drug.name}: {tablets} tablets, {per_day} a day for {days} days"


class Prescriptions(GraphBusNode):
    @subscribe("/Ward/Prescription")
    def on_prescription(self, code: str, per_day: int, days: int) -> dict[str, object]:
        drug = find(code)
        if drug is None:
            return {"status": "unknown", "code": code}
        wanted = per_day * days
        granted = reserve(drug, wanted)
        cost = (drug.price / drug.pack_size * granted).quantize(Decimal("0.01"))
        return {
            "status": "filled" if granted == wanted else "partial",
            "label": label(drug, granted, per_day),
            "cost": str(cost),
        }

    @subscribe("/Ward/Delivery")
    def on_delivery(self, code: str, packs: int) -> dict[str, object]:
        drug = find(code)
        if drug is None or packs < 1:
            return {"status": "returned to sender", "code": code}
        drug.shelf += packs * drug.pack_size
        return {"status": "booked", "value": str(drug.price * packs)}
