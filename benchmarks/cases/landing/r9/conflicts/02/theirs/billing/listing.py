from __future__ import annotations

from billing.model import Invoice, Line


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def describe(line: Line) -> str:
    return f"{line.units} x {line.sku} @ {money(line.price)}"


def listing(invoice: Invoice) -> str:
    rows = [describe(line) for line in invoice.lines]
    rows.append(f"total {money(invoice.total)}")
    return "\n".join(rows)
