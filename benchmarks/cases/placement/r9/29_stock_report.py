# stateful
"""Extends the list it got from the layout table in place, so the module's column lists grow."""
from graphbus_core import GraphBusNode, subscribe

BASE = ["sku", "title"]
LAYOUTS = {
    "warehouse": ["sku", "aisle", "bin"],
    "sales": ["sku", "title", "price"],
}
WIDTHS = {"title": 24, "price": 8, "aisle": 5}


def columns(kind: str, extra: list[str]) -> list[str]:
    chosen = LAYOUTS.get(kind, BASE)
    chosen += [name for name in extra if name not in chosen]
    return chosen


def cell(row: dict[str, str], name: str) -> str:
    width = WIDTHS.get(name, 10)
    return row.get(name, "-")[:width].ljust(width)


class StockReport(GraphBusNode):
    @subscribe("/Report/Row")
    def on_row(self, kind: str, row: dict[str, str], extra: list[str]) -> dict[str, object]:
        names = columns(kind, extra)
        return {
            "head": " | ".join(name.upper().ljust(WIDTHS.get(name, 10)) for name in names),
            "line": " | ".join(cell(row, name) for name in names),
            "width": sum(WIDTHS.get(name, 10) for name in names),
        }
