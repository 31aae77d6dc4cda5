# stateful
"""A list from the table of standing reservations grows by an augmented assignment."""
from graphbus_core import GraphBusNode, subscribe

LENGTH = {"bike": 2.0, "car": 4.5, "van": 6.5, "truck": 14.0}
STANDING = {
    "island": ["van"],
    "mainland": ["truck", "van"],
}
DECK = {"island": 40.0, "mainland": 90.0, "loop": 25.0}


def metres(vehicles: list[str]) -> float:
    return sum(LENGTH.get(v, 5.0) for v in vehicles)


def manifest(route: str, extra: list[str]) -> list[str]:
    vehicles = STANDING.get(route, [])
    vehicles += [v for v in extra if v in LENGTH]
    return vehicles


class Terminal(GraphBusNode):
    @subscribe("/Booking")
    def on_booking(self, route: str, vehicles: list[str]) -> dict[str, object]:
        loaded = manifest(route, vehicles)
        used = metres(loaded)
        return {
            "route": route,
            "used": used,
            "free": round(max(0.0, DECK[route] - used), 1),
            "accepted": used <= DECK[route],
        }
