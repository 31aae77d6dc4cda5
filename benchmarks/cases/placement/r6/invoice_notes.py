# stateful
"""The list that is the default of a NamedTuple's field is one list for all lines, and notes are appended to it."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Line(NamedTuple):
    sku: str
    quantity: int
    unit_cents: int
    notes: list[str] = []

    @property
    def cents(self) -> int:
        return self.quantity * self.unit_cents


def discount(line: Line) -> int:
    if line.quantity >= 100:
        line.notes.append("volume 5%")
        return line.cents * 5 // 100
    return 0


def clearance(line: Line) -> int:
    if line.sku.startswith("X-"):
        line.notes.append("clearance, no returns")
        return line.cents // 4
    return 0


class InvoiceNotes(GraphBusNode):
    REDUCTIONS = (discount, clearance)

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/invoice/line")
    def on_line(self, sku: str, quantity: int, unit_cents: int) -> dict[str, object]:
        line = Line(sku, quantity, unit_cents)
        off = sum(rule(line) for rule in self.REDUCTIONS)
        return {"sku": sku, "cents": line.cents - off, "notes": list(line.notes)}
