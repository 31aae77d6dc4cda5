# pure
"""How many ways lead through a grid of streets."""

from graphbus_core import GraphBusNode, subscribe


class Crossings(GraphBusNode):
    def _ways(self, x, y, memo):
        if x == 0 or y == 0:
            return 1
        if (x, y) not in memo:
            memo[x, y] = self._ways(x - 1, y, memo) + self._ways(x, y - 1, memo)
        return memo[x, y]

    @subscribe("/Grid/Asked")
    def on_asked(self, payload):
        self.publish("/Grid/Ways", {"ways": self._ways(payload["x"], payload["y"], {})})
