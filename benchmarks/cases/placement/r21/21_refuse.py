# pure
"""Keeps nothing: a coroutine is primed, fed and closed within one event."""
from contextlib import closing
from typing import Generator, Iterable

from graphbus_core import GraphBusNode, subscribe

CAPACITY = 9000


def trips(capacity: int) -> Generator[int, int, None]:
    """Takes weights and yields the number of the trip that carries them."""
    trip, load = 1, 0
    weight = yield trip
    while True:
        if load + weight > capacity:
            trip, load = trip + 1, 0
        load += weight
        weight = yield trip


def assign(weights: Iterable[int], capacity: int) -> Iterable[int]:
    with closing(trips(capacity)) as planner:
        next(planner)
        for weight in weights:
            yield planner.send(weight)


def by_trip(streets: list[str], numbers: Iterable[int]) -> dict[int, list[str]]:
    plan: dict[int, list[str]] = {}
    for street, number in zip(streets, numbers):
        plan.setdefault(number, []).append(street)
    return plan


class Refuse(GraphBusNode):
    @subscribe("/Refuse/RoundPlanned")
    def on_round(self, round_id: str, streets: list[str], bins: list[int], kind: str) -> dict[str, object]:
        per_bin = {"paper": 22, "organic": 48}.get(kind, 35)
        plan = by_trip(streets, assign((count * per_bin for count in bins), CAPACITY))
        return {"round": round_id, "trips": len(plan), "plan": [plan[key] for key in sorted(plan)]}
