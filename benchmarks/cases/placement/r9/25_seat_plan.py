# stateful
"""Marks the seats in an anonymous memory map, which keeps them from event to event."""
import mmap
import struct

from graphbus_core import GraphBusNode, subscribe

ROWS = "ABCDEFGH"
PER_ROW = 12
RECORD = struct.Struct("<BH")


class Plan:
    def __init__(self, size: int) -> None:
        self._view = memoryview(mmap.mmap(-1, size * RECORD.size))

    def take(self, index: int, party: int) -> bool:
        taken, _ = RECORD.unpack_from(self._view, index * RECORD.size)
        if not taken:
            RECORD.pack_into(self._view, index * RECORD.size, 1, party)
        return not taken


HALL = Plan(len(ROWS) * PER_ROW)


def index_of(seat: str) -> int:
    row, number = ROWS.index(seat[0]), int(seat[1:])
    if not 1 <= number <= PER_ROW:
        raise ValueError(seat)
    return row * PER_ROW + number - 1


class SeatPlan(GraphBusNode):
    @subscribe("/Seat/Wish")
    def on_wish(self, party: int, seats: list[str]) -> dict[str, object]:
        got, refused = [], []
        for seat in seats:
            try:
                (got if HALL.take(index_of(seat), party) else refused).append(seat)
            except ValueError:
                refused.append(seat)
        return {"party": party, "got": got, "refused": refused}
