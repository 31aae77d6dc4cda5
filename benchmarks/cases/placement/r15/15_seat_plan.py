# stateful
"""Keeps the seating of the first hall asked for, in a cached property that reads more than its object's name."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

SIZES = {"small": (6, 10), "large": (14, 22), "studio": (4, 6)}


class Plan:
    """Where the good seats are."""

    def __init__(self) -> None:
        self.hall = "small"

    def choose(self, hall: str) -> "Plan":
        if hall in SIZES:
            self.hall = hall
        else:
            self.hall = "small"
        return self

    @cached_property
    def best(self) -> list[str]:
        rows, seats = SIZES[self.hall]
        middle = (seats + 1) / 2
        order = sorted(
            ((row, seat) for row in range(1, rows + 1) for seat in range(1, seats + 1)),
            key=lambda place: (abs(place[0] - rows * 2 / 3), abs(place[1] - middle), place),
        )
        return [f"{chr(64 + row)}{seat}" for row, seat in order]


class SeatPlan(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._plan = Plan()

    @subscribe("/Cinema/SeatsAsked")
    def on_asked(self, hall: str, count: int) -> dict[str, object]:
        plan = self._plan.choose(hall)
        seats = plan.best[: max(0, min(count, 8))]
        return {"hall": plan.hall, "seats": seats}
