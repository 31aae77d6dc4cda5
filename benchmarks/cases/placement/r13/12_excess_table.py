# pure
"""Keeps nothing: bisect in a constant table, all values local."""
from bisect import bisect_right
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Step(NamedTuple):
    from_value: int
    excess: int
    discount: float


STEPS = (
    Step(0, 150, 0.0),
    Step(5_000, 300, 0.03),
    Step(15_000, 500, 0.07),
    Step(40_000, 1_000, 0.12),
    Step(100_000, 2_500, 0.18),
)
BOUNDS = [s.from_value for s in STEPS]


def step_for(value: int) -> Step:
    return STEPS[bisect_right(BOUNDS, max(0, value)) - 1]


def nearest_choice(wanted: int, allowed: list[int]) -> int:
    return min(allowed, key=lambda item: (abs(item - wanted), item))


class ExcessAdvisor(GraphBusNode):
    @subscribe("/Advice/Excess")
    def advise(self, car_value: int, wanted: int) -> dict[str, object]:
        step = step_for(car_value)
        allowed = [s.excess for s in STEPS if s.excess <= step.excess]
        if not allowed:
            allowed.append(STEPS[0].excess)
        chosen = nearest_choice(wanted, allowed)
        discount = next(s.discount for s in STEPS if s.excess == chosen)
        allowed.reverse()
        return {"excess": chosen, "discount": round(discount, 2), "choices": allowed}
