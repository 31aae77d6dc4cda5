from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Money:
    cents: int
    currency: str = "EUR"

    @classmethod
    def parse(cls, text: str) -> Money:
        amount, _, currency = text.strip().partition(" ")
        whole, _, frac = amount.partition(".")
        sign = -1 if whole.startswith("-") else 1
        cents = abs(int(whole or 0)) * 100 + int((frac + "00")[:2])
        return cls(sign * cents, currency or "EUR")

    @classmethod
    def zero(cls, currency: str = "EUR") -> Money:
        return cls(0, currency)

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents, self.currency)

    def percent(self, rate: int) -> Money:
        return Money((self.cents * rate + 50) // 100, self.currency)

    def __str__(self) -> str:
        sign = "-" if self.cents < 0 else ""
        return f"{sign}{abs(self.cents) // 100}.{abs(self.cents) % 100:02d} {self.currency}"
