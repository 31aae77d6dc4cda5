# pure
"""The table is built at first use from constants only, and the running generator ends with the event that started it."""
from bisect import bisect_right
from collections.abc import Generator
from functools import cached_property, reduce
from itertools import accumulate, chain, repeat

from graphbus_core import GraphBusNode, subscribe

COINS = (1, 2, 5, 10, 20, 50, 100, 200)
NOTES = (500, 1000, 2000, 5000)


class ChangeTable:
    """The fewest coins for each amount below the limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    @cached_property
    def first_coin(self) -> list[int]:
        fewest = [0, *repeat(self.limit, self.limit - 1)]
        first = [0] * self.limit
        for amount in range(1, self.limit):
            for coin in COINS[: bisect_right(COINS, amount)]:
                if fewest[amount - coin] + 1 <= fewest[amount]:
                    fewest[amount], first[amount] = fewest[amount - coin] + 1, coin
        return first

    def coins(self, amount: int) -> list[int]:
        result = []
        while amount:
            result.append(self.first_coin[amount])
            amount -= result[-1]
        return result


def drawer(opening: int) -> Generator[int, int, None]:
    """Takes payments by send() and yields the balance after each."""
    balance = opening
    while True:
        moved = yield balance
        balance = max(balance + moved, 0)


class CashDrawer(GraphBusNode):
    _table: ChangeTable | None = None

    @property
    def table(self) -> ChangeTable:
        if self._table is None:
            type(self)._table = ChangeTable(NOTES[0])
        return self._table

    @subscribe("/Till/Payment")
    def on_payment(self, due: int, given: int) -> dict[str, object]:
        if given < due:
            return {"missing": due - given}
        rest, change = given - due, []
        for note in reversed(NOTES):
            pieces, rest = divmod(rest, note)
            change.extend(repeat(note, pieces))
        return {"change": list(chain(change, self.table.coins(rest)))}

    @subscribe("/Till/Closing")
    def on_closing(self, opening: int, moves: list[int]) -> dict[str, object]:
        running = drawer(opening)
        next(running)
        balances = [running.send(move) for move in moves]
        running.close()
        lowest = reduce(min, balances, opening)
        exact = list(accumulate(moves, initial=opening))[-1]
        return {"balances": balances, "lowest": lowest, "short": exact < 0 or exact != (balances or [opening])[-1]}
