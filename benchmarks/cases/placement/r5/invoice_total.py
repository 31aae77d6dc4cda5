# pure
"""Keeps nothing: the totals live in dictionaries of one call, and the decimal context is a local one."""
from collections import defaultdict
from decimal import Decimal, ROUND_HALF_UP, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
RATES = {"A": Decimal("0.19"), "B": Decimal("0.07"), "Z": Decimal(0)}


def by_rate(lines: list[dict], totals: dict[str, Decimal] | None = None) -> dict[str, Decimal]:
    totals = defaultdict(Decimal) if totals is None else totals
    for line in lines:
        discount = Decimal(line.get("discount", "0")) / 100
        totals[line["rate"]] += Decimal(line["price"]) * line["quantity"] * (1 - discount)
    return totals


def tax_table(totals: dict[str, Decimal]) -> list[tuple[str, Decimal, Decimal]]:
    table = []
    with localcontext() as context:
        context.rounding = ROUND_HALF_UP
        for rate, net in sorted(totals.items()):
            net = net.quantize(CENT)
            table.append((rate, net, (net * RATES[rate]).quantize(CENT)))
    return table


class InvoiceTotal(GraphBusNode):
    """Adds up an invoice whose lines all come in one event."""

    @subscribe("/Billing/Invoice")
    def on_invoice(self, number: str, lines: list[dict]) -> dict[str, object]:
        unknown = {line["rate"] for line in lines} - RATES.keys()
        if unknown:
            return {"number": number, "error": f"rates {sorted(unknown)}"}
        table = tax_table(by_rate(lines))
        net = sum((row[1] for row in table), Decimal(0))
        tax = sum((row[2] for row in table), Decimal(0))
        return {"number": number, "net": str(net), "tax": str(tax), "gross": str(net + tax)}
