# pure
"""Adds up one invoice from the event alone."""
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

VAT = {"standard": Decimal("19"), "reduced": Decimal("7"), "zero": Decimal("0")}
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Line:
    text: str
    quantity: Decimal
    price: Decimal
    rate: str

    @property
    def net(self) -> Decimal:
        return (self.quantity * self.price).quantize(CENT, rounding=ROUND_HALF_UP)


def parse_line(raw: dict[str, str]) -> Line:
    return Line(
        text=raw.get("text", "").strip(),
        quantity=Decimal(raw.get("quantity", "1")),
        price=Decimal(raw["price"]),
        rate=raw.get("vat", "standard"),
    )


def taxes(lines: list[Line]) -> dict[str, Decimal]:
    nets: dict[str, Decimal] = {}
    for line in lines:
        nets[line.rate] = nets.get(line.rate, Decimal(0)) + line.net
    return {
        rate: (net * VAT[rate] / 100).quantize(CENT, rounding=ROUND_HALF_UP)
        for rate, net in nets.items()
    }


class InvoiceTotals(GraphBusNode):
    @subscribe("/Invoice/Lines")
    def on_lines(self, number: str, lines: list[dict[str, str]]) -> dict[str, object]:
        try:
            parsed = [parse_line(raw) for raw in lines]
            tax = taxes(parsed)
        except KeyError as missing:
            return {"number": number, "error": f"bad line: {missing}"}
        net = sum((line.net for line in parsed), Decimal(0))
        return {
            "number": number,
            "net": str(net),
            "tax": {rate: str(value) for rate, value in sorted(tax.items())},
            "gross": str(net + sum(tax.values())),
        }
