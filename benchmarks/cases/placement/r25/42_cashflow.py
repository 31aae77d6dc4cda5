# pure
"""Keeps nothing: the running balance runs only through the payments of one event."""
from itertools import accumulate, groupby, pairwise
from operator import add

from graphbus_core import GraphBusNode, subscribe


def running(opening: int, moves):
    return list(accumulate(moves, add, initial=opening))


def overdraft_fee(balance: int) -> int:
    return 0 if balance >= 0 else max(150, -balance // 50)


def runs(balances):
    """Lengths of the stretches in the black and in the red."""
    return [("black" if ok else "red", sum(1 for _ in group))
            for ok, group in groupby(balances, key=lambda b: b >= 0)]


def crossings(balances) -> int:
    return sum((a >= 0) != (b >= 0) for a, b in pairwise(balances))


def tracker():
    worst = None

    def see(balance):
        nonlocal worst
        worst = balance if worst is None else min(worst, balance)
        return worst

    return see


class CashFlow(GraphBusNode):
    @subscribe("/treasury/forecast")
    def forecast(self, opening: int, moves: list[int]) -> dict[str, object]:
        balances = running(opening, moves)
        *_, worst = map(tracker(), balances)
        return {
            "closing": balances[-1],
            "worst": worst,
            "fees": sum(map(overdraft_fee, balances)),
            "runs": runs(balances),
            "crossings": crossings(balances),
        }
