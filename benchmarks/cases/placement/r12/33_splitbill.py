# stateful
"""Asks the decimal context whether a division was exact, and that flag stays up once any earlier event has raised it."""
from decimal import ROUND_DOWN, Decimal, Inexact, getcontext
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


class Split(TypedDict):
    account: str
    share: str
    exact: bool
    rest: str


def shares(total: Decimal, heads: int) -> tuple[Decimal, bool]:
    """The share of each head, and whether it came out without rounding."""
    share = (total / heads).quantize(CENT, rounding=ROUND_DOWN)
    return share, not getcontext().flags[Inexact]


def normal(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


class SharedCosts(GraphBusNode):
    """Splits the costs of a joint account between its holders."""

    def __init__(self) -> None:
        super().__init__()
        self._max_heads = 50

    def _heads(self, holders: int) -> int:
        return max(1, min(holders, self._max_heads))

    @subscribe("/JointAccount/Cost")
    def on_cost(self, account: str, cents: int, holders: int) -> Split:
        heads = self._heads(holders)
        total = normal(max(0, min(cents, 10**9)))
        share, exact = shares(total, heads)
        return {
            "account": account,
            "share": str(share),
            "exact": exact,
            "rest": "0.00" if exact else str(total - share * heads),
        }
