# pure
"""The chain of fee rules is built once from constants; a transaction passes through without leaving a trace."""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Transaction:
    kind: str
    cents: int
    foreign: bool
    age: int


class FeeRule(ABC):
    def __init__(self) -> None:
        self._next: FeeRule | None = None

    def then(self, rule: FeeRule) -> FeeRule:
        tail = self
        while tail._next is not None:
            tail = tail._next
        tail._next = rule
        return self

    def fee(self, tx: Transaction) -> tuple[int, str]:
        if self.applies(tx):
            return self.amount(tx), type(self).__name__
        return self._next.fee(tx) if self._next else (0, "none")

    @abstractmethod
    def applies(self, tx: Transaction) -> bool: ...

    @abstractmethod
    def amount(self, tx: Transaction) -> int: ...


class PercentMixin:
    per_mille: int = 0
    minimum: int = 0

    def amount(self, tx: Transaction) -> int:
        return max(self.minimum, abs(tx.cents) * self.per_mille // 1000)


class Youth(FeeRule):
    def applies(self, tx: Transaction) -> bool:
        return tx.age < 25 and not tx.foreign

    def amount(self, tx: Transaction) -> int:
        return 0


class ForeignCash(PercentMixin, FeeRule):
    per_mille, minimum = 18, 500

    def applies(self, tx: Transaction) -> bool:
        return tx.foreign and tx.kind == "cash"


class Foreign(PercentMixin, FeeRule):
    per_mille, minimum = 10, 100

    def applies(self, tx: Transaction) -> bool:
        return tx.foreign


class FeeDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rules = Youth().then(ForeignCash()).then(Foreign())

    @subscribe("/Bank/Transaction")
    def on_transaction(self, number: int, kind: str, cents: int, foreign: bool, age: int) -> dict[str, object]:
        fee, rule = self._rules.fee(Transaction(kind.lower(), cents, foreign, age))
        return {"number": number, "fee": fee, "rule": rule, "booked": cents - fee}
