# stateful
"""Keeps the sums of former batches, because reduce starts from the same dictionary every time."""
from functools import reduce
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

START: dict[str, int] = {}


def entry(text: str) -> tuple[str, int]:
    name, _, amount = text.partition(":")
    return name.strip(), int(amount or 0)


def book(acc: dict[str, int], item: tuple[str, int]) -> dict[str, int]:
    name, amount = item
    acc[name] = acc.get(name, 0) + amount
    return acc


def totals(texts):
    return reduce(book, map(entry, texts), START)


def top(balances, n=3):
    # by amount, then by name so that ties are stable
    by_name = sorted(balances.items(), key=itemgetter(0))
    return sorted(by_name, key=itemgetter(1), reverse=True)[:n]


class Ledger(GraphBusNode):
    @subscribe("/ledger/batch")
    def on_batch(self, entries: list[str]) -> dict[str, int]:
        return dict(top(totals(entries)))
