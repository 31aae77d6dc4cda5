# stateful
"""Keeps who came first: the cached function deals out the next free seat, so the cache is the register."""
from functools import lru_cache
from itertools import count, product

from graphbus_core import GraphBusNode, subscribe


def seats(rows: str, width: int):
    yield from (f"{row}{n}" for row, n in product(rows, range(1, width + 1)))
    yield from (f"standing-{n}" for n in count(1))


def usher(free):
    @lru_cache(maxsize=None)
    def seat_of(guest: str) -> str:
        return next(free)
    return seat_of


def tidy(name: str) -> str:
    return name.strip().lower()


def greeting(seat):
    return f"please go to {seat}" if seat.startswith("standing") else f"your seat is {seat}"


class Seating(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.seat_of = usher(seats("AB", 2))

    @subscribe("/event/arrival")
    def arrive(self, guest: str) -> dict[str, str]:
        seat = self.seat_of(tidy(guest))
        return {"guest": guest, "text": greeting(seat)}
