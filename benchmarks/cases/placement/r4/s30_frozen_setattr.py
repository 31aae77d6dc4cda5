# stateful
"""Approves payments against the daily limit."""
from graphbus_core import GraphBusNode, subscribe
from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    left: int

    def __contains__(self, cents):
        if cents > self.left:
            return False
        object.__setattr__(self, "left", self.left - cents)
        return True


DAILY = Limit(left=1000)


class LimitNode(GraphBusNode):
    @subscribe("/In")
    def on_payment(self, event):
        approved = event["cents"] in DAILY
        return {"approved": approved, "total": event["cents"] if approved else 0}
