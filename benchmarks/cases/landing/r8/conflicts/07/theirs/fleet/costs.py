"""What a tour costs."""
from __future__ import annotations

from dataclasses import dataclass

from fleet.route import Route


@dataclass(frozen=True)
class Lorry:
    litres_per_100: float
    toll_free: bool = False

    def fuel(self, route: Route) -> float:
        """Litres for the whole route."""
        return route.length() * self.litres_per_100 / 100


def quote(lorry: Lorry, route: Route, litre_price: float, toll: float = 0.0) -> float:
    """Fuel and toll, rounded to cents."""
    extra = 0.0 if lorry.toll_free else toll
    return round(lorry.fuel(route) * litre_price + extra, 2)
