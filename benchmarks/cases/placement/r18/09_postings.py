# pure
"""Keeps nothing: balances are written to a new child map in front of the chart of accounts, never into the chart."""
from __future__ import annotations

from collections import ChainMap
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

CHART = MappingProxyType({
    "1000": ("Cash", "asset"), "1200": ("Receivables", "asset"), "1576": ("Input VAT", "asset"),
    "1776": ("Output VAT", "liability"), "3400": ("Goods", "expense"), "8400": ("Sales", "income"),
})
OPENING = {"1000": Decimal("500.00"), "1200": Decimal("80.00")}
NORMAL_SIDE = {"asset": 1, "expense": 1, "liability": -1, "income": -1}


class Unbalanced(ValueError):
    pass


def parse(line: str) -> tuple[str, Decimal]:
    account, side, amount = line.split()
    if account not in CHART:
        raise KeyError(account)
    value = Decimal(amount.replace(",", ""))
    return account, value if side.upper() == "D" else -value


def post(balances: ChainMap, lines: list[str]) -> ChainMap:
    scratch = balances.new_child()
    entries = [parse(line) for line in lines]
    if difference := sum((value for _, value in entries), Decimal(0)):
        raise Unbalanced(f"off by {difference}")
    for account, value in entries:
        signed = value * NORMAL_SIDE[CHART[account][1]]
        scratch[account] = scratch.get(account, Decimal(0)) + signed
    return scratch


class TrialBalance(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.opening = ChainMap(OPENING)

    @subscribe("/Books/Batch")
    def on_batch(self, entries: list[list[str]]) -> dict[str, object]:
        balances, rejected = self.opening, []
        for number, lines in enumerate(entries, start=1):
            try:
                balances = post(balances, lines)
            except (Unbalanced, KeyError, ValueError, InvalidOperation) as problem:
                rejected.append(f"{number}: {type(problem).__name__} {problem}")
        return {
            "balances": {f"{code} {CHART[code][0]}": f"{balances[code]:.2f}" for code in sorted(balances)},
            "rejected": rejected,
        }
