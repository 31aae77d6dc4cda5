# stateful
"""Keeps how far a module-wide map object has been read: each look-up eats the routes in front of its hit."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

TABLE = """\
10000 19999 Berlin   truck
20000 29999 Hamburg  truck
30000 39999 Hanover  rail
40000 49999 Essen    truck
50000 59999 Cologne  rail
60000 69999 Mainz    barge
70000 79999 Stuttgart truck
80000 89999 Munich   rail
90000 99999 Nuremberg truck
"""


class Route(NamedTuple):
    low: int
    high: int
    hub: str
    means: str

    @classmethod
    def parse(cls, line: str) -> "Route":
        low, high, hub, means = line.split()
        return cls(int(low), int(high), hub, means)

    def covers(self, code: int) -> bool:
        return self.low <= code <= self.high


ROUTES = map(Route.parse, TABLE.splitlines())


def find_route(code: int) -> Route | None:
    return next((route for route in ROUTES if route.covers(code)), None)


class RouteLookup(GraphBusNode):
    @subscribe("/Shipment/Created")
    def on_shipment(self, number: str, postcode: str, kilos: float) -> dict[str, object]:
        digits = "".join(ch for ch in postcode if ch.isdigit())
        route = find_route(int(digits or "0"))
        if route is None:
            return {"number": number, "hub": "manual", "means": "?"}
        means = "truck" if kilos < 50 else route.means
        return {"number": number, "hub": route.hub, "means": means}
