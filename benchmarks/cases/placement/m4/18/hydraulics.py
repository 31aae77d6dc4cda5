from __future__ import annotations

from guards import Quietly, Traced

ZONES = {
    "hill": {"night_m3h": 2.5, "bar": (3.0, 6.5)},
    "old town": {"night_m3h": 6.0, "bar": (2.5, 5.0)},
    "harbour": {"night_m3h": 9.0, "bar": (2.0, 5.5)},
}


@Quietly
def leak(zone: str, flow: float) -> str | None:
    limit = ZONES[zone]["night_m3h"]
    if flow > 2 * limit:
        return f"burst in {zone}?"
    if flow > limit:
        return f"leak in {zone}?"
    return None


@Traced
def pressure_state(zone: str, bar: float) -> str:
    low, high = ZONES[zone]["bar"]
    return "low" if bar < low else "high" if bar > high else "ok"


@Traced
def tiered(cubic: float, tiers: tuple) -> float:
    cost, lower = 0.0, 0.0
    for upper, price in tiers:
        part = min(cubic, upper) - lower
        if part <= 0:
            break
        cost += part * price
        lower = upper
    return round(cost, 2)
