# stateful
"""Appends to the list that a cached function returns; the cache hands out the same, already lengthened list next time."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

OPENING = {"north": (8, 18), "south": (9, 20), "harbour": (6, 14)}


@lru_cache(maxsize=None)
def windows(depot: str, hours: int) -> list[str]:
    """All windows of a depot; costly in the original, thus cached."""
    start, stop = OPENING.get(depot, (10, 16))
    return [f"{h:02d}-{h + hours:02d}" for h in range(start, stop - hours + 1, hours)]


def offer(depot: str, parcels: int, premium: bool) -> list[str]:
    choice = windows(depot, 2 if parcels < 5 else 4)
    if premium:
        choice += ["20-21", "21-22"]
    return choice


class DeliveryWindows(GraphBusNode):
    @subscribe("/Delivery/Windows")
    def on_windows(self, customer: str, depot: str, parcels: int, premium: bool) -> dict:
        choice = offer(depot.strip().lower(), parcels, premium)
        evening = [w for w in choice if w.startswith("2")]
        return {"customer": customer, "windows": " ".join(choice), "evening": len(evening)}
