from bisect import bisect_right
from itertools import accumulate

from .scope import region

BLOCKS = {"north": ([100, 400], [11, 15, 23]), "south": ([150, 300], [9, 17, 21]), "island": ([50], [19, 31])}


def energy_cost(kwh: int, area: str | None = None) -> int:
    """Cost in cents of rising blocks."""
    edges, prices = BLOCKS[area or region.get()]
    widths = [b - a for a, b in zip([0, *edges], edges)]
    costs = [0, *accumulate(w * p for w, p in zip(widths, prices))]
    block = bisect_right(edges, kwh)
    return costs[block] + (kwh - ([0, *edges])[block]) * prices[block]
