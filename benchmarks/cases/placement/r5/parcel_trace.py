# stateful
"""Keeps every hop in the list that is the default of a context variable, and so is the same list in every context."""
import json
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

trail: ContextVar[list[str]] = ContextVar("trail", default=[])


@contextmanager
def hop(place: str) -> Iterator[None]:
    trail.get().append(f">{place}")
    try:
        yield
    finally:
        trail.get().append(f"<{place}")


def customs(value_cents: int) -> str:
    with hop("customs"):
        return "declare" if value_cents > 15000 else "free"


def sort_parcel(postcode: str) -> str:
    with hop("sorting"):
        return "north" if postcode[:1] in "012" else "south"


class ParcelTrace(GraphBusNode):
    """Sorts a parcel and reports the stations that it went through."""

    @subscribe("/Parcel/Arrived")
    async def on_parcel(self, parcel: str, postcode: str, value_cents: int, foreign: bool) -> str:
        with hop("intake"):
            duty = customs(value_cents) if foreign else "free"
            side = sort_parcel(postcode)
        return json.dumps({"parcel": parcel, "duty": duty, "side": side, "trail": trail.get()[-6:]})
