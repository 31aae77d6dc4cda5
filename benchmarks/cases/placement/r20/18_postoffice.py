# stateful
"""Sends parcels to the vans of their district; the vans take turns by an iterator in the route table."""
import re
from itertools import cycle
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

POSTCODE = re.compile(r"\b(\d{5})\b")


def vans(prefix: str, *numbers: int) -> Iterator[str]:
    return cycle(f"{prefix}-{n:02d}" for n in numbers)


ROUTES: dict[str, Iterator[str]] = {
    "80": vans("MUC", 1, 2, 3),
    "81": vans("MUC", 7, 9),
    "20": vans("HAM", 4),
}
POSTAGE = [(1, 489), (2, 549), (5, 799), (10, 1049), (31, 1899)]


def postage(kg: float, bulky: bool) -> int | None:
    for limit, cents in POSTAGE:
        if kg <= limit:
            return cents + (400 if bulky else 0)
    return None


def is_bulky(size: str) -> bool:
    sides = sorted((int(s) for s in size.lower().split("x")), reverse=True)
    return sides[0] > 120 or sum(sides[1:]) > 120


class Sorting(GraphBusNode):
    """One parcel in, one label out."""

    @subscribe("/Post/Parcel")
    def on_parcel(self, address: str, kg: float, size: str) -> dict[str, object]:
        found = POSTCODE.search(address)
        if not found:
            return {"label": None, "problem": "no postcode"}
        cents = postage(kg, is_bulky(size))
        if cents is None:
            return {"label": None, "problem": "too heavy"}
        route = ROUTES.get(found[1][:2])
        van = next(route) if route is not None else "TRUNK"
        return {"label": f"{van} {found[1]}", "postage": f"{cents / 100:.2f}"}
