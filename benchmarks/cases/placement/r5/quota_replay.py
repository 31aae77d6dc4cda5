# pure
"""Keeps nothing: all requests of a window come in one event, and the bucket that they drain is made for it."""
from dataclasses import dataclass, field
from itertools import count, groupby
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

PLANS = {"free": (3, 0.5), "team": (10, 2.0), "site": (50, 20.0)}


@dataclass
class Bucket:
    capacity: float
    per_second: float
    tokens: float = field(init=False)
    last: float = 0.0

    def __post_init__(self) -> None:
        self.tokens = self.capacity

    def take(self, at: float, cost: float) -> bool:
        self.tokens = min(self.capacity, self.tokens + (at - self.last) * self.per_second)
        self.last = at
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True


class QuotaReplay(GraphBusNode):
    """Replays the requests of a window against a plan, to see whom it would have refused."""

    @subscribe("/Quota/Replay")
    def on_replay(self, plan: str, requests: list[list]) -> dict[str, object]:
        if plan not in PLANS:
            return {"error": f"plan {plan}"}
        result: dict[str, dict[str, object]] = {}
        serial = count(1)
        ordered = sorted(requests, key=itemgetter(0, 1))
        for client, its in groupby(ordered, key=itemgetter(0)):
            bucket = Bucket(*PLANS[plan])
            verdicts = [bucket.take(at, cost) for _, at, cost in its]
            result[client] = {
                "line": next(serial),
                "refused": verdicts.count(False),
                "left": round(bucket.tokens, 2),
            }
        return {"plan": plan, "clients": result}
