# pure
from functools import cache

from graphbus_core import GraphBusNode, subscribe


class StairPlans(GraphBusNode):
    """In how many ways can a robot climb stairs with its allowed steps?"""

    @subscribe("/Robot/Stairs")
    def on_stairs(self, payload):
        steps = payload["steps"]
        calls = 0

        @cache
        def ways(height):
            nonlocal calls
            calls += 1
            if height == 0:
                return 1
            return sum(ways(height - s) for s in steps if s <= height)

        total = ways(payload["height"])
        self.publish("/Robot/Plans", {"plans": total, "work": calls})
