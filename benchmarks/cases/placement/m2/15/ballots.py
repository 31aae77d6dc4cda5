from collections import Counter
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

from trail import log


class SeatShare(GraphBusNode):
    """Sainte-Lague seats of a ward, ties to the larger list."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Council/Ward/Counted")
    def seats(self, votes: dict, seats: int, threshold_percent: int) -> dict[str, object]:
        total = sum(votes.values())
        lists = {p: v for p, v in votes.items() if v * 100 >= total * threshold_percent}
        if len(lists) < len(votes):
            log.warning("below threshold: %s", sorted(votes.keys() - lists.keys()))
        won = Counter()
        for _ in range(seats if lists else 0):
            best = max(lists, key=lambda p: (Fraction(lists[p], 2 * won[p] + 1), lists[p], p))
            won[best] += 1
        return {"seats": {p: won[p] for p in sorted(votes)}, "turnout": total}
