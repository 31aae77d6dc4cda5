# stateful
"""Prints dockets for lanes."""
from graphbus_core import GraphBusNode, subscribe
from itertools import count


class Serial:
    def __init__(self, start):
        self._numbers = count(start)

    def __get__(self, obj, owner=None):
        return next(self._numbers)


class DocketPrinter(GraphBusNode):
    serial = Serial(500)

    @subscribe("/In")
    def on_docket(self, event):
        number = self.serial
        return {"docket": f"{event['lane'].upper()}/{number:06d}", "total": number}
