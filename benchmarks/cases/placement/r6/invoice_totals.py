# pure
"""The default factory gives every invoice a list and a dict of its own."""
from collections import defaultdict
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

VAT = {"book": 7, "food": 7}


@dataclass
class Invoice:
    customer: str
    lines: list[str] = field(default_factory=list)
    net: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, kind: str, text: str, cents: int) -> None:
        self.lines.append(f"{len(self.lines) + 1}. {text}")
        self.net[VAT.get(kind, 19)] += cents

    def taxes(self) -> dict[int, int]:
        return {rate: (cents * rate + 50) // 100 for rate, cents in sorted(self.net.items())}


class InvoiceTotals(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/invoice/make")
    def on_make(self, customer: str, items: list[dict[str, object]]) -> dict[str, object]:
        invoice = Invoice(customer)
        for item in items:
            invoice.add(str(item.get("kind", "")), str(item["text"]), int(item["cents"]))
        taxes = invoice.taxes()
        net = sum(invoice.net.values())
        return {"lines": invoice.lines, "net": net, "taxes": taxes, "gross": net + sum(taxes.values())}

    @subscribe("/invoice/credit")
    def on_credit(self, customer: str, text: str, cents: int) -> dict[str, object]:
        note = Invoice(customer)
        note.add("", text, -abs(cents))
        return {"lines": note.lines, "net": note.net[19], "taxes": note.taxes()}
