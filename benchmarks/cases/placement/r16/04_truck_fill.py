# pure
"""Keeps a work table between events, but every event overwrites all of it before reading."""
from array import array
from itertools import compress
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

CAPACITY = 60
MAX_CRATES = 12


class Table:
    """Rows of best values; allocated once because the devices are small."""

    def __init__(self, rows: int, columns: int) -> None:
        self.columns = columns
        self.cells = array("l", bytes(array("l").itemsize * rows * columns))

    def __getitem__(self, place: tuple[int, int]) -> int:
        row, column = place
        return self.cells[row * self.columns + column]

    def __setitem__(self, place: tuple[int, int], value: int) -> None:
        row, column = place
        self.cells[row * self.columns + column] = value


_BEST = Table(MAX_CRATES + 1, CAPACITY + 1)


def choose(weights: list[int], values: list[int]) -> list[bool]:
    for room in range(CAPACITY + 1):
        _BEST[0, room] = 0
    for row, (weight, value) in enumerate(zip(weights, values), 1):
        for room in range(CAPACITY + 1):
            without = _BEST[row - 1, room]
            taken = _BEST[row - 1, room - weight] + value if weight <= room else without
            _BEST[row, room] = max(without, taken)
    picked = [False] * len(weights)
    room = CAPACITY
    for row in range(len(weights), 0, -1):
        if _BEST[row, room] != _BEST[row - 1, room]:
            picked[row - 1] = True
            room -= weights[row - 1]
    return picked


class TruckFill(GraphBusNode):
    @subscribe("/Truck/Crates")
    def on_crates(self, crates: dict[str, list[int]]) -> dict[str, object]:
        listed = sorted(crates.items(), key=itemgetter(0))[:MAX_CRATES]
        names = [name for name, _ in listed]
        weights = [max(1, pair[0]) for _, pair in listed]
        values = [max(0, pair[1]) for _, pair in listed]
        picked = choose(weights, values)
        return {
            "load": list(compress(names, picked)),
            "weight": sum(compress(weights, picked)),
            "value": sum(compress(values, picked)),
        }
