# pure
"""Keeps nothing: a heap of the open tasks is built and emptied within the event."""
import heapq
from itertools import count

from graphbus_core import GraphBusNode, subscribe

WEIGHTS = {"injury": 50, "fire": 30, "theft": 20, "glass": 5}


def urgency(kind: str, amount: int, vip: bool) -> int:
    points = WEIGHTS.get(kind, 10) + min(40, amount // 2_500)
    return points * 2 if vip else points


class ClaimTriage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.desks = ("senior", "standard", "express")

    def _desk(self, points: int) -> str:
        if points >= 60:
            return self.desks[0]
        return self.desks[1] if points >= 15 else self.desks[2]

    @subscribe("/Claims/Morning")
    def sort(self, claims: list[list[object]], capacity: int) -> dict[str, object]:
        ticket = count(1)
        heap: list[tuple[int, int, str]] = []
        for number, kind, amount, vip in claims:
            heapq.heappush(heap, (-urgency(kind, amount, vip), next(ticket), number))
        plan = []
        while heap and len(plan) < capacity:
            points, _, number = heapq.heappop(heap)
            plan.append({"claim": number, "desk": self._desk(-points)})
        return {"plan": plan, "left": sorted(item[2] for item in heap)}
