from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Line:
    sku: str
    qty: int
    cents: int  # for one piece

    @property
    def total(self) -> int:
        return self.qty * self.cents


@dataclass
class Invoice:
    number: str
    lines: list[Line] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(line.total for line in self.lines)
