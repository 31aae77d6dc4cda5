# stateful
"""The shallow copy of the template shares its list of lines, so every invoice keeps the lines of the earlier ones."""
import copy
from decimal import Decimal
from typing import Any

from graphbus_core import GraphBusNode, subscribe

BLANK_INVOICE: dict[str, Any] = {
    "currency": "EUR",
    "customer": "",
    "lines": [],
    "footer": "Payable within 14 days.",
}

VAT = {"DE": Decimal("0.19"), "AT": Decimal("0.20"), "LU": Decimal("0.17")}


def line(text: str, quantity: int, unit_price: str) -> dict[str, Any]:
    net = Decimal(unit_price) * quantity
    return {"text": text, "qty": quantity, "net": str(net)}


class InvoiceWriter(GraphBusNode):
    """Turns a delivered order into an invoice."""

    def __init__(self) -> None:
        super().__init__()
        self.fallback_country = "DE"

    def _blank(self, customer: str) -> dict[str, Any]:
        invoice = copy.copy(BLANK_INVOICE)
        invoice["customer"] = customer.strip().title()
        return invoice

    @subscribe("/orders/delivered")
    def on_delivered(self, customer: str, country: str, item: str, quantity: int, unit_price: str) -> dict[str, Any]:
        invoice = self._blank(customer)
        invoice["lines"].append(line(item, quantity, unit_price))
        if quantity < 3:
            invoice["lines"].append(line("Small order fee", 1, "2.50"))
        net = sum((Decimal(entry["net"]) for entry in invoice["lines"]), Decimal(0))
        rate = VAT.get(country, VAT[self.fallback_country])
        return {
            "customer": invoice["customer"],
            "positions": len(invoice["lines"]),
            "net": str(net),
            "gross": str((net * (1 + rate)).quantize(Decimal("0.01"))),
        }
