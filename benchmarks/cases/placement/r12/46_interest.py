# stateful
"""A primed generator rounds interest to cents and carries the fraction it cut off over to the next account."""
from collections.abc import Generator
from fractions import Fraction
from functools import wraps
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Rounder = Generator[int, Fraction, None]


def primed(fn: Callable[[], Rounder]) -> Callable[[], Rounder]:
    @wraps(fn)
    def start() -> Rounder:
        gen = fn()
        next(gen)
        return gen

    return start


@primed
def cents() -> Rounder:
    """Rounds to whole cents in such a way that long sums come out right."""
    rest = Fraction(0)
    whole = 0
    while True:
        exact = yield whole
        rest += exact
        whole = int(rest)
        rest -= whole


def accrued(balance: int, basis_points: int, days: int) -> Fraction:
    return Fraction(balance * basis_points * days, 10_000 * 360)


class InterestRun(GraphBusNode):
    PRODUCTS = {"savings": 125, "fixed": 310, "giro": 5}

    def __init__(self) -> None:
        super().__init__()
        self._to_cents = cents().send

    @subscribe("/Account/MonthEnd")
    def on_month_end(self, account: str, product: str, balance: int, days: int) -> dict[str, object]:
        points = self.PRODUCTS.get(product, 0)
        interest = self._to_cents(accrued(balance, points, max(0, min(days, 31))))
        return {"account": account, "interest": interest, "balance": balance + interest}
