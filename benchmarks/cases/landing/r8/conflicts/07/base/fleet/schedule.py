"""When a lorry arrives."""
from __future__ import annotations

from fleet.route import Route

SPEED_KMH = 60.0
STOP_MIN = 15.0


def minutes(route: Route) -> float:
    """Driving time plus the time at the stops between."""
    return route.length() / SPEED_KMH * 60 + STOP_MIN * max(0, len(route.stops) - 2)
