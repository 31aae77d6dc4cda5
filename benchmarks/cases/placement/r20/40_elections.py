# pure
"""Distributes the seats of one council by Sainte-Laguë; the heap is filled anew for each count."""
import heapq
from fractions import Fraction
from typing import Callable, Iterator

from graphbus_core import GraphBusNode, subscribe

DIVISORS: dict[str, Callable[[int], int]] = {
    "sainte-lague": lambda seats: 2 * seats + 1,
    "dhondt": lambda seats: seats + 1,
}


class Party:
    """One list with its votes; ordered by its next quotient."""

    __slots__ = ("name", "votes", "seats", "_divisor")

    def __init__(self, name: str, votes: int, divisor: Callable[[int], int]) -> None:
        self.name = name
        self.votes = votes
        self.seats = 0
        self._divisor = divisor

    @property
    def quotient(self) -> Fraction:
        return Fraction(self.votes, self._divisor(self.seats))

    def __lt__(self, other: "Party") -> bool:
        return (-self.quotient, self.name) < (-other.quotient, other.name)


def award(parties: list[Party], seats: int) -> Iterator[Party]:
    heap = list(parties)
    heapq.heapify(heap)
    for _ in range(seats if heap else 0):
        best = heap[0]
        yield best
        best.seats += 1
        heapq.heapreplace(heap, best)


class Council(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.threshold = Fraction(3, 100)

    @subscribe("/Election/Count")
    def on_count(self, district: str, votes: dict[str, int], seats: int, method: str) -> dict[str, object]:
        total = sum(votes.values())
        divisor = DIVISORS.get(method.lower(), DIVISORS["sainte-lague"])
        parties = [Party(n, v, divisor) for n, v in sorted(votes.items()) if total and Fraction(v, total) >= self.threshold]
        order = [party.name for party in award(parties, seats)]
        majority = [p.name for p in parties if p.seats * 2 > seats]
        return {
            "district": district,
            "seats": {p.name: p.seats for p in sorted(parties, key=lambda p: (-p.seats, p.name))},
            "last_seat": order[-1] if order else None,
            "majority": majority[0] if majority else None,
            "wasted": total - sum(p.votes for p in parties),
        }
