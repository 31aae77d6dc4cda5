# stateful
"""The template is copied only at the top; the list of legs within it is the same object in every copy."""
from __future__ import annotations

import copy
from datetime import datetime, timedelta

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {
    "agency": "Slow Travel",
    "currency": "EUR",
    "legs": [{"from": "HOME", "to": "STATION", "mode": "taxi", "minutes": 20}],
    "extras": {"insurance": 9.5},
}
PACE = {"train": 110, "ferry": 35, "bus": 60}
FARE = {"train": 0.16, "ferry": 0.22, "bus": 0.09}


def new_trip(**fields: object) -> dict:
    trip = copy.copy(TEMPLATE)
    trip.update(fields)
    return trip


def add_leg(trip: dict, start: str, end: str, mode: str, km: float) -> dict:
    leg = {"from": start, "to": end, "mode": mode, "minutes": round(km / PACE[mode] * 60), "fare": km * FARE[mode]}
    trip["legs"].append(leg)
    return trip


def summary(trip: dict) -> dict[str, object]:
    legs = trip["legs"]
    minutes = sum(leg["minutes"] for leg in legs) + 15 * (len(legs) - 1)
    arrival = datetime.fromisoformat(trip["departs"]) + timedelta(minutes=minutes)
    cost = sum(leg.get("fare", 0) for leg in legs) + sum(trip["extras"].values())
    return {"traveller": trip["traveller"], "arrives": arrival.isoformat(timespec="minutes"), "cost": round(cost, 2)}


class Agency(GraphBusNode):
    @subscribe("/Travel/Request")
    def on_request(self, traveller: str, departs: str, stops: list[str], mode: str, km: float) -> dict[str, object]:
        if mode not in PACE:
            return {"traveller": traveller, "error": f"no {mode}"}
        trip = new_trip(traveller=traveller, departs=departs)
        for start, end in zip(["STATION", *stops], stops):
            add_leg(trip, start, end, mode, km)
        return summary(trip)
