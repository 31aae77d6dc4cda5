# pure
"""Keeps nothing but a cache of parsed lines, whose values are frozen and depend on the whole key."""
import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(r"^\s*(?P<count>\d+)\s*x\s*(?P<name>[\w \-]+?)\s*@\s*(?P<price>\d+(?:\.\d{1,2})?)\s*(?P<tax>[AB])?\s*$")
TAX = {"A": Decimal("0.19"), "B": Decimal("0.07")}
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Line:
    count: int
    name: str
    price: Decimal
    tax: str

    @property
    def net(self) -> Decimal:
        return self.count * self.price


@lru_cache(maxsize=512)
def parse_line(text: str) -> Line | None:
    found = LINE.match(text)
    if found is None:
        return None
    return Line(int(found["count"]), found["name"].lower(), Decimal(found["price"]), found["tax"] or "A")


@dataclass
class Invoice:
    lines: list[Line] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        line = parse_line(text)
        if line is None:
            self.rejected.append(text.strip())
        else:
            self.lines.append(line)

    def taxes(self) -> dict[str, Decimal]:
        sums: dict[str, Decimal] = {}
        for line in self.lines:
            sums[line.tax] = sums.get(line.tax, Decimal(0)) + line.net
        return {
            code: (net * TAX[code]).quantize(CENT, rounding=ROUND_HALF_EVEN)
            for code, net in sorted(sums.items())
        }


class InvoiceLines(GraphBusNode):
    @subscribe("/Billing/Draft")
    def on_draft(self, customer: str, lines: list[str]) -> dict[str, object]:
        invoice = Invoice()
        for text in lines:
            invoice.add(text)
        taxes = invoice.taxes()
        net = sum((line.net for line in invoice.lines), Decimal(0))
        return {
            "customer": customer,
            "net": f"{net:.2f}",
            "taxes": {code: str(tax) for code, tax in taxes.items()},
            "gross": f"{net + sum(taxes.values(), Decimal(0)):.2f}",
            "rejected": invoice.rejected,
        }
