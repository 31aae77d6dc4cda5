# pure
"""All readings of the year come with the event, and the iterators over them live within the call."""
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise, takewhile

from graphbus_core import GraphBusNode, subscribe

STEPS = ((1000, 31), (2500, 28), (10**9, 25))


def consumption(readings: Iterable[int]) -> Iterator[int]:
    for before, after in pairwise(readings):
        yield after - before if after >= before else after + 100_000 - before


def tranches(total: int) -> Iterator[tuple[int, int]]:
    below = 0
    for limit, cents in STEPS:
        if total <= below:
            return
        yield min(total, limit) - below, cents
        below = limit


def instalments(total: int, months: int) -> Iterator[int]:
    share, rest = divmod(total, months)
    yield from (share + (month < rest) for month in range(months))


class YearlyBill(GraphBusNode):
    @subscribe("/Energy/Years")
    def on_year(self, customer: str, readings: list[int], paid: list[int]) -> dict[str, object]:
        used = list(consumption(readings))
        total = sum(amount * cents for amount, cents in tranches(sum(used)))
        open_after = takewhile(lambda rest: rest > 0, accumulate(paid, lambda rest, part: rest - part, initial=total))
        *_, rest = (0, *open_after)
        return {
            "customer": customer,
            "months": used,
            "total": total,
            "covered": rest == 0 or sum(paid) >= total,
            "next": list(instalments(max(total, 0), 3)),
        }
