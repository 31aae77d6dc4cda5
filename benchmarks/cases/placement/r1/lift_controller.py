# stateful
from weakref import WeakKeyDictionary

from graphbus_core import GraphBusNode, subscribe


class Floor:
    """A whole number between the cellar and the roof."""

    def __init__(self, low, high):
        self.low, self.high = low, high
        self._at = WeakKeyDictionary()

    def __get__(self, lift, owner=None):
        return self if lift is None else self._at.get(lift, 0)

    def __set__(self, lift, floor):
        self._at[lift] = max(self.low, min(self.high, floor))


class Lift(GraphBusNode):
    floor = Floor(-1, 9)

    @subscribe("/Lift/Called")
    def on_called(self, payload):
        way = abs(self.floor - payload["floor"])
        self.floor = payload["floor"]
        self.publish("/Lift/Moving", {"seconds": 4 * way})
