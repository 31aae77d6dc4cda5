# pure
"""Reads one CSV text with a reader made for it."""
import csv
import io
from decimal import Decimal, InvalidOperation

from graphbus_core import GraphBusNode, subscribe

ALIASES = {"art.no": "sku", "article": "sku", "description": "title", "name": "title", "eur": "price", "net": "price"}
NEEDED = ("sku", "title", "price")


def header(names: list[str]) -> list[str]:
    cleaned = [name.strip().lower() for name in names]
    return [ALIASES.get(name, name) for name in cleaned]


def money(text: str) -> Decimal:
    text = text.strip().replace("€", "").strip()
    if "," in text:
        text = text.replace(".", "").replace(",", ".")
    return Decimal(text)


def delimiter(first: str) -> str:
    return max(";,\t|", key=first.count)


class PriceListImport(GraphBusNode):
    @subscribe("/Pricelist/Received")
    def on_received(self, supplier: str, text: str) -> dict[str, object]:
        first = text.split("\n", 1)[0]
        rows = csv.reader(io.StringIO(text), delimiter=delimiter(first))
        names = header(next(rows, []))
        if missing := [name for name in NEEDED if name not in names]:
            return {"supplier": supplier, "error": "missing columns", "missing": missing}
        prices: dict[str, str] = {}
        bad: list[int] = []
        for row in rows:
            if not row:
                continue
            record = dict(zip(names, row))
            try:
                prices[record["sku"].strip()] = str(money(record["price"]))
            except (InvalidOperation, KeyError):
                bad.append(rows.line_num)
        return {"supplier": supplier, "prices": prices, "bad_lines": bad}
