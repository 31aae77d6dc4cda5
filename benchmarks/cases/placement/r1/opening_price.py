# stateful
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Ticker(GraphBusNode):
    """Prices against the first one of the day."""

    @cached_property
    def opening(self):
        return self._current

    @subscribe("/Trade/Done")
    def on_trade(self, payload):
        self._current = payload["price"]
        self.publish("/Trade/Change", {"percent": 100 * (payload["price"] / self.opening - 1)})
