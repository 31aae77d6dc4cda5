"""Invoices with lines."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    text: str
    quantity: int
    cents: int

    def __post_init__(self):
        if self.quantity < 1:
            raise ValueError(f"{self.text}: quantity {self.quantity}")

    @property
    def total(self):
        return self.quantity * self.cents


@dataclass
class Invoice:
    number: str
    lines: list = field(default_factory=list)

    def add(self, text, quantity, cents):
        self.lines.append(Line(text, quantity, cents))
        return self

    @property
    def total(self):
        return sum(line.total for line in self.lines)
