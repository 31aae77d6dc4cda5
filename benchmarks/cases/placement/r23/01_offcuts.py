# stateful
"""Leftover pieces are sorted into a global list and used for later orders."""
from bisect import bisect_left, insort

from graphbus_core import GraphBusNode, subscribe

FULL = 2500
SMALLEST = 250
rack = [400, 760]


def from_rack(length):
    i = bisect_left(rack, length)
    if i == len(rack):
        return None
    return rack.pop(i)


def back_to_rack(length):
    if length >= SMALLEST:
        insort(rack, length)
        return "rack"
    return "stove"


class Offcuts(GraphBusNode):
    @subscribe("/Saw/Piece")
    def on_piece(self, order: str, length: int) -> dict:
        if length > FULL:
            return {"order": order, "source": "special order"}
        source = "offcut"
        board = from_rack(length)
        if board is None:
            source, board = "new board", FULL
        rest = board - length
        return {"order": order, "source": source, "rest": rest, "rest_to": back_to_rack(rest)}
