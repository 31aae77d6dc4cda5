# stateful
"""A decorator falls back to the last good result when a calculation fails; that result is a closure variable."""
import functools
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

PER_KM = {"van": 0.85, "truck": 1.60, "reefer": 2.15}
SURCHARGES = {"tunnel": 18.0, "ferry": 64.0, "toll": 9.5}


def resilient(default: float) -> Callable:
    """Never let a bad record stop the belt."""

    def wrap(function: Callable[..., float]) -> Callable[..., float]:
        fallback = default

        @functools.wraps(function)
        def inner(*args, **kwargs) -> float:
            nonlocal fallback
            try:
                fallback = function(*args, **kwargs)
            except (KeyError, ZeroDivisionError):
                pass
            return fallback

        return inner

    return wrap


@resilient(default=1.0)
def rate(vehicle: str, km: float, pallets: int) -> float:
    return PER_KM[vehicle] * km / pallets


def extras(names: list[str]) -> float:
    return sum(SURCHARGES.get(name, 0.0) for name in names)


class FreightRate(GraphBusNode):
    @subscribe("/Freight/Ask")
    def on_ask(self, vehicle: str, km: float, pallets: int, via: list[str]) -> dict[str, float]:
        per_pallet = rate(vehicle, km, pallets)
        return {"pallet": round(per_pallet, 2), "total": round(per_pallet * pallets + extras(via), 2)}
