# pure
"""Cheapest way through a small road map without cycles."""
from graphbus_core import GraphBusNode, subscribe
from functools import lru_cache


class RouteCost(GraphBusNode):
    @subscribe("/In")
    def on_route(self, event):
        roads, goal = event["roads"], event["to"]

        @lru_cache(maxsize=None)
        def cost(place):
            if place == goal:
                return 0
            return min((km + cost(nxt) for nxt, km in roads[place].items()), default=10**6)

        return {"to": goal, "total": cost(event["from"])}
