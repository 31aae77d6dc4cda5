from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(slots=True)
class Minima:
    ceiling: int
    gust: int

    TABLE = {"A": (200, 25), "B": (300, 30), "C": (400, 35)}

    @classmethod
    @lru_cache
    def of(cls, category: str) -> Minima:
        return cls(*cls.TABLE.get(category, (1000, 15)))

    def judge(self, ceiling: int, gust: int) -> str:
        verdicts = [w for bad, w in ((ceiling < self.ceiling, "ceiling"), (gust > self.gust, "gust")) if bad]
        return "+".join(verdicts) or "land"
