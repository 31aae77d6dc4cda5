# pure
"""Prints a strip of numbered tickets for a game at a fair."""

from graphbus_core import GraphBusNode, subscribe


def numbers(start):
    n = start
    while True:
        yield n
        n += 1


class TicketStrip(GraphBusNode):
    @subscribe("/Fair/StripWanted")
    def on_wanted(self, payload):
        draw = numbers(payload["first"])
        self.publish("/Fair/Strip", {"tickets": [next(draw) for _ in range(payload["count"])]})
