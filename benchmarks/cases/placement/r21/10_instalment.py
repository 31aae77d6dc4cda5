# pure
"""Keeps nothing: the endless series of due dates is started afresh for every notice."""
from itertools import accumulate, chain, count, islice, repeat, takewhile
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

Due = tuple[int, int]


def months(year: int, month: int, every: int) -> Iterator[Due]:
    for index in count(month - 1, every):
        yield year + index // 12, index % 12 + 1


def amounts(total: int, parts: int) -> Iterator[int]:
    share, rest = divmod(total, parts)
    yield from chain(repeat(share + 1, rest), repeat(share, parts - rest))


def open_after(total: int, paid: Iterator[int]) -> Iterator[int]:
    yield from accumulate(paid, lambda left, amount: left - amount, initial=total)


class Instalments(GraphBusNode):
    plans = {"monthly": 1, "quarterly": 3, "yearly": 12}

    @subscribe("/Tax/NoticeIssued")
    def on_notice(self, account: str, cents: int, year: int, month: int, plan: str) -> dict[str, object]:
        every = self.plans.get(plan, 12)
        dates = list(takewhile(lambda due: due[0] == year, months(year, month, every)))
        parts = list(amounts(cents, len(dates)))
        return {
            "account": account,
            "due": [f"{y}-{m:02d}-15 {part / 100:.2f}" for (y, m), part in zip(dates, parts)],
            "left": list(islice(open_after(cents, iter(parts)), 1, None)),
        }
