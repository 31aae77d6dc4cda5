from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import ClassVar


class Policy(ABC):
    code: ClassVar[str] = ""
    deductible: ClassVar[int] = 0
    kinds: ClassVar[dict[str, type[Policy]]] = {}

    def __init_subclass__(cls, **kw: object) -> None:
        super().__init_subclass__(**kw)
        Policy.kinds[cls.code] = cls

    def __init__(self, insured: int) -> None:
        self.insured = insured

    @abstractmethod
    def cover(self, loss: int) -> int: ...

    def payout(self, loss: int) -> int:
        return max(0, min(self.cover(loss), self.insured) - self.deductible)

    @classmethod
    def revise(cls, deductible: int) -> None:
        cls.deductible = deductible


class Household(Policy):
    code = "HH"

    def cover(self, loss: int) -> int:
        return loss


class Motor(Policy):
    code = "MO"
    deductible = 300

    def cover(self, loss: int) -> int:
        return loss * 9 // 10


class Travel(Policy):
    code = "TR"
    deductible = 50

    def cover(self, loss: int) -> int:
        return loss if loss < 2_000 else 2_000 + (loss - 2_000) // 2


@dataclass(frozen=True, order=True)
class Period:
    start: date
    end: date

    @classmethod
    def parse(cls, text: str) -> Period:
        a, _, b = text.partition("/")
        return cls(date.fromisoformat(a), date.fromisoformat(b))

    def __contains__(self, day: date) -> bool:
        return self.start <= day < self.end
