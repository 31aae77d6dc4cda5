from __future__ import annotations

from collections.abc import Iterable

from graphbus_core import GraphBusNode, subscribe

from formats import line

PRICES = {"": 99, "1": 12, "33": 9, "336": 19, "44": 9, "447": 21, "49": 5, "4915": 15, "4916": 15, "81": 30}


class Trie:
    __slots__ = ("price", "next")

    def __init__(self, price: int | None = None) -> None:
        self.price = price
        self.next: dict[str, Trie] = {}

    @classmethod
    def of(cls, table: dict[str, int]) -> Trie:
        root = cls()
        for prefix, price in table.items():
            node = root
            for digit in prefix:
                node = node.next.setdefault(digit, cls())
            node.price = price
        return root

    def longest(self, digits: Iterable[str]) -> tuple[int, int]:
        node, best, depth = self, self.price or 0, 0
        for i, d in enumerate(digits, 1):
            node = node.next.get(d)
            if node is None:
                break
            if node.price is not None:
                best, depth = node.price, i
        return best, depth


class CallRating(GraphBusNode):
    table = Trie.of(PRICES)

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Telco/Call/Ended")
    def on_call(self, called: str, seconds: int, step: int) -> dict[str, object]:
        digits = called.lstrip("+0")
        price, depth = self.table.longest(digits)
        billed = -(-max(seconds, step) // step) * step
        cents = (price * billed + 59) // 60
        return {"prefix": digits[:depth], "cents": cents, "line": line(called, f"{billed} s", cents)}
