from graphbus_core import GraphBusNode, subscribe

from fleet import SLOWEST, tour
from roads import ROADS, way


class RouteNode(GraphBusNode):
    @subscribe("/Route")
    def on_stops(self, stops: list[str]) -> dict:
        unknown = [s for s in stops if s not in ROADS]
        km, order = tour([s for s in stops if s in ROADS])
        legs = []
        for a, b in zip(["depot", *order], order):
            length, path = way(a, b)
            legs.append(f"{'>'.join(path)} ({length} km)")
        return {"km": km, "legs": legs, "unknown": unknown, "minutes": SLOWEST.minutes(km)}
