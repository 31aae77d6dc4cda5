"""What a tour costs against the straight way."""
from __future__ import annotations

from dataclasses import dataclass

from fleet.route import Route


@dataclass(frozen=True)
class Lorry:
    base_price: float
    toll_free: bool = False

    def detour(self, route: Route) -> float:
        """How many times as long as the straight way the route is."""
        straight = Route((route.stops[0], route.stops[-1]))
        return route.length() / straight.length()


def quote(lorry: Lorry, route: Route, toll: float = 0.0) -> float:
    """The base price times the detour, and toll, rounded to cents."""
    extra = 0.0 if lorry.toll_free else toll
    return round(lorry.base_price * lorry.detour(route) + extra, 2)
