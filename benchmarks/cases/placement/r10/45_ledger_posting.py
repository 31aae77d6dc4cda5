# stateful
"""Keeps the currency of the first posting that named one, by way of os.environ.setdefault."""
import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from graphbus_core import GraphBusNode, subscribe

ACCOUNTS = {"cash": "1000", "bank": "1200", "revenue": "8400", "fees": "4970"}


@dataclass(frozen=True)
class Entry:
    account: str
    debit: int = 0
    credit: int = 0

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> "Entry":
        amount = int(raw["amount"])
        side = "debit" if amount >= 0 else "credit"
        return cls(ACCOUNTS[raw["account"]], **{side: abs(amount)})


def currency(given: str | None) -> str:
    if given:
        os.environ.setdefault("LEDGER_BASE_CURRENCY", given.upper())
    return os.environ.get("LEDGER_BASE_CURRENCY", "EUR")


class Ledger(GraphBusNode):
    @subscribe("/ledger/post")
    def on_post(self, entries: list[dict[str, Any]], base: str | None = None) -> dict[str, Any]:
        try:
            parsed = [Entry.parse(raw) for raw in entries]
        except KeyError as error:
            return {"posted": False, "reason": f"account {error}"}
        sums: defaultdict[str, int] = defaultdict(int)
        for entry in parsed:
            sums[entry.account] += entry.debit - entry.credit
        if sum(sums.values()):
            return {"posted": False, "reason": "unbalanced"}
        return {"posted": True, "currency": currency(base), "balances": dict(sorted(sums.items()))}
