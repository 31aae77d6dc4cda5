# pure
"""Deals out the seats of one event's result."""
from collections import Counter
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

_THRESHOLD = Fraction(5, 100)


def eligible(votes: dict[str, int]) -> dict[str, int]:
    total = sum(votes.values())
    return {
        party: count
        for party, count in votes.items()
        if count > 0 and Fraction(count, total) >= _THRESHOLD
    }


def dhondt(votes: dict[str, int], seats: int) -> Counter[str]:
    """Highest averages; of equal averages the larger party, then the name, comes first."""
    won: Counter[str] = Counter()
    for _ in range(seats):
        winner = min(
            votes,
            key=lambda party: (-Fraction(votes[party], won[party] + 1), -votes[party], party),
        )
        won[winner] += 1
    return won


class Seats(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._limit = 200

    @subscribe("/Election/Counted")
    def on_event(self, district: str, votes: dict[str, int], seats: int) -> dict[str, object]:
        counted = eligible(votes)
        if not counted or not 0 < seats <= self._limit:
            return {"district": district, "seats": {}}
        won = dhondt(counted, seats)
        return {
            "district": district,
            "seats": dict(sorted(won.items())),
            "below": sorted(votes.keys() - counted.keys()),
        }
