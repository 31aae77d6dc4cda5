# pure
"""The jobs are looked up by name in a table of functions; the sorted list belongs to the event."""
from graphbus_core import GraphBusNode, subscribe

DEPOT = (0, 0)
SPEED = {"van": 55, "truck": 40}
ASSEMBLY = {"kitchen": 300, "wardrobe": 90, "bed": 45}


def distance(a, b):
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def nearest_first(stops):
    here, rest, route = DEPOT, list(stops), []
    while rest:
        best = min(rest, key=lambda s: (distance(here, (s["x"], s["y"])), s["name"]))
        rest.remove(best)
        route.append(best)
        here = (best["x"], best["y"])
    return route


def as_listed(stops):
    return stops


def far_first(stops):
    stops.sort(key=lambda s: (-distance(DEPOT, (s["x"], s["y"])), s["name"]))
    return stops


METHODS = {"near": nearest_first, "far": far_first}


class Routes(GraphBusNode):
    @subscribe("/Dispatch/Tour")
    def on_tour(self, vehicle: str, method: str, stops: list[dict]) -> dict:
        route = METHODS.get(method, as_listed)(stops)
        here, km, minutes = DEPOT, 0.0, 0.0
        for stop in route:
            there = (stop["x"], stop["y"])
            km += distance(here, there)
            minutes += ASSEMBLY.get(stop.get("goods"), 15)
            here = there
        km += distance(here, DEPOT)
        minutes += km / SPEED.get(vehicle, 45) * 60
        return {"order": [s["name"] for s in route], "km": round(km, 1), "minutes": round(minutes)}
