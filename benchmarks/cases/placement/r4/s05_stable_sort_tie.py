# stateful
"""Gives the best plan for what the customer asks."""
from graphbus_core import GraphBusNode, subscribe
from operator import itemgetter

PLANS = [
    {"id": 1, "price": 10, "seats": 5, "support": 2, "tier": 1},
    {"id": 20, "price": 8, "seats": 5, "support": 2, "tier": 1},
    {"id": 300, "price": 9, "seats": 3, "support": 1, "tier": 1},
    {"id": 4000, "price": 9, "seats": 3, "support": 1, "tier": 1},
]


def best(plans, column):
    plans.sort(key=itemgetter(column))
    return plans[0]


class PlanChooser(GraphBusNode):
    @subscribe("/In")
    def on_request(self, event):
        plan = best(PLANS, event["by"])
        return {"plan": plan["id"], "total": plan["id"]}
