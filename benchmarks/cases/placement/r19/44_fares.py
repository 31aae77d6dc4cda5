# stateful
"""The memo of the fare is kept by the two stations only, so whoever asks first fixes the price for all classes and cards."""
from collections.abc import Callable
from functools import wraps

from graphbus_core import GraphBusNode, subscribe

KILOMETRES = {
    ("Aalen", "Ulm"): 72,
    ("Aalen", "Stuttgart"): 74,
    ("Stuttgart", "Ulm"): 94,
    ("Crailsheim", "Ulm"): 110,
}


def per_relation(function: Callable[..., int]) -> Callable[..., int]:
    known: dict[tuple[str, str], int] = {}

    @wraps(function)
    def wrapper(origin: str, destination: str, **details: object) -> int:
        relation = (min(origin, destination), max(origin, destination))
        if relation not in known:
            known[relation] = function(*relation, **details)
        return known[relation]

    return wrapper


@per_relation
def fare(origin: str, destination: str, *, first_class: bool, card: int) -> int:
    distance = KILOMETRES.get((origin, destination), 150)
    cents = 180 + distance * 21
    if first_class:
        cents = cents * 16 // 10
    return cents - cents * card // 100


def as_euro(cents: int) -> str:
    return f"{cents // 100},{cents % 100:02d}"


class TicketCounter(GraphBusNode):
    @subscribe("/Rail/Requests")
    def on_request(self, origin: str, destination: str, first_class: bool, card: int) -> dict[str, str]:
        if origin == destination:
            return {"relation": origin, "price": as_euro(0)}
        price = fare(origin, destination, first_class=first_class, card=card)
        return {"relation": f"{origin} - {destination}", "price": as_euro(price)}
