# pure
"""A chain of filters and one choice over the free seats that the event itself brings along."""
from collections.abc import Callable, Iterable
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

Seats = list[int]
Wish = Callable[[Seats], Seats]


def keep(test: Callable[[int], bool]) -> Wish:
    """A wish is dropped when it would leave nothing."""

    def wish(seats: Seats) -> Seats:
        kept = [seat for seat in seats if test(seat)]
        return kept or seats

    return wish


WISHES: dict[str, Wish] = {
    "window": keep(lambda seat: seat % 10 in (1, 6)),
    "aisle": keep(lambda seat: seat % 10 in (2, 5)),
    "table": keep(lambda seat: 40 <= seat < 60),
    "quiet": keep(lambda seat: seat >= 70),
}


def apply_all(wishes: Iterable[str], seats: Seats) -> Seats:
    return reduce(lambda rest, name: WISHES[name](rest), filter(WISHES.__contains__, wishes), seats)


def neighbours(seats: Seats, count: int) -> Seats:
    taken: Seats = []
    for seat in sorted(seats):
        if taken and seat != taken[-1] + 1:
            taken.clear()
        taken.append(seat)
        if len(taken) == count:
            return taken
    return sorted(seats)[:count]


class SeatFinder(GraphBusNode):
    @subscribe("/Rail/Seats")
    def on_search(self, free: list[int], wishes: list[str], persons: int) -> dict[str, object]:
        pool = apply_all(wishes, list(free))
        if len(pool) < persons:
            pool = list(free)
        seats = neighbours(pool, persons)
        return {"seats": seats, "complete": len(seats) == persons}
