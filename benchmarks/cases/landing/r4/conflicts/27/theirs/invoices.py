"""Invoices with lines."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    text: str
    quantity: int
    cents: int

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


def credit_note(invoice):
    """Takes a whole invoice back."""
    note = Invoice("C-" + invoice.number)
    for line in invoice.lines:
        note.lines.append(Line(line.text, -line.quantity, line.cents))
    return note
