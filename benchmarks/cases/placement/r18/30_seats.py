# pure
"""Keeps nothing: the quotients of a vote are compared in a heap that belongs to one event."""
from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

Divisor = Callable[[int], Fraction]
METHODS: dict[str, Divisor] = {
    "dhondt": lambda n: Fraction(n + 1),
    "sainte-lague": lambda n: Fraction(2 * n + 1),
    "nordic": lambda n: Fraction(7, 5) if n == 0 else Fraction(2 * n + 1),
}


def over_threshold(votes: dict[str, int], percent: float) -> dict[str, int]:
    total = sum(votes.values())
    return {party: n for party, n in votes.items() if n and n * 100 >= percent * total}


def highest_average(votes: dict[str, int], seats: int, divisor: Divisor) -> Iterator[str]:
    heap = [(-votes[party] / divisor(0), party, 0) for party in votes]
    heapq.heapify(heap)
    for _ in range(seats if heap else 0):
        _, party, won = heap[0]
        heapq.heapreplace(heap, (-votes[party] / divisor(won + 1), party, won + 1))
        yield party


def largest_remainder(votes: dict[str, int], seats: int) -> dict[str, int]:
    quota = Fraction(sum(votes.values()), seats)
    shares = {party: divmod(n, quota) for party, n in votes.items()}
    result = {party: int(whole) for party, (whole, _) in shares.items()}
    left = seats - sum(result.values())
    for party in sorted(shares, key=lambda p: (-shares[p][1], p))[:left]:
        result[party] += 1
    return result


class Parliament(GraphBusNode):
    @subscribe("/Election/Result")
    def on_result(self, votes: dict[str, int], seats: int, method: str, threshold: float) -> dict[str, object]:
        admitted = over_threshold(votes, threshold)
        if not admitted or seats < 1:
            return {"error": "nobody to seat"}
        order: list[str] = []
        if method == "hare":
            allotted = largest_remainder(admitted, seats)
        else:
            order = list(highest_average(admitted, seats, METHODS.get(method, METHODS["dhondt"])))
            allotted = {party: order.count(party) for party in admitted}
        ranking = sorted(allotted.items(), key=lambda item: (-item[1], item[0]))
        return {"seats": dict(ranking), "last_seat": order[-1] if order else None, "majority": ranking[0][1] * 2 > seats}
