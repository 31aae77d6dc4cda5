# stateful
"""A cached function hands out its cached list and the handler inserts stops into it."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

LEGS = {
    "north": "depot>ahrensburg>luebeck>depot",
    "south": "depot>lueneburg>uelzen>celle>depot",
    "island": "depot>husum>niebuell>sylt>depot",
}
MINUTES = {"luebeck": 55, "celle": 80, "sylt": 170}


@lru_cache(maxsize=64)
def stops(tour: str) -> list[str]:
    return LEGS.get(tour, "depot>depot").split(">")


def duration(names: list[str]) -> int:
    return sum(MINUTES.get(name, 35) for name in names[1:])


class TourStops(GraphBusNode):
    @subscribe("/Tour/Pickup")
    def on_pickup(self, tour: str, town: str, heavy: bool) -> dict[str, object]:
        plan = stops(tour.lower())
        if town not in plan:
            plan.insert(1 if heavy else len(plan) - 1, town)
        return {"tour": tour, "stops": len(plan), "minutes": duration(plan), "via": "-".join(plan)}
