from __future__ import annotations

from operator import attrgetter

from billing.model import Invoice, Line

ORDERS = {
    "name": attrgetter("sku"),
    "amount": attrgetter("total"),
    "quantity": attrgetter("qty"),
}


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def describe(line: Line) -> str:
    return f"{line.qty} x {line.sku} @ {money(line.price)}"


def listing(invoice: Invoice, order: str | None = None) -> str:
    lines = invoice.lines
    if order is not None:
        lines = sorted(lines, key=ORDERS[order])
    rows = [describe(line) for line in lines]
    rows.append(f"total {money(invoice.total)}")
    return "\n".join(rows)
