# pure
"""Keeps only scratch space that is emptied before each receipt is written."""
import textwrap
from decimal import Decimal
from typing import Any

from graphbus_core import GraphBusNode, subscribe

WIDTH = 32


class ReceiptPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._total = Decimal(0)
        self._wrapper = textwrap.TextWrapper(width=WIDTH, subsequent_indent="  ", max_lines=3, placeholder=" ..")

    def _begin(self, shop: str) -> None:
        self._lines.clear()
        self._total = Decimal(0)
        self._centred(shop.upper())
        self._rule()

    def _centred(self, text: str) -> None:
        self._lines.append(text[:WIDTH].center(WIDTH).rstrip())

    def _rule(self, char: str = "-") -> None:
        self._lines.append(char * WIDTH)

    def _amount(self, label: str, amount: Decimal) -> None:
        number = f"{amount:.2f}"
        self._lines.append(f"{label[:WIDTH - len(number) - 1]:<{WIDTH - len(number)}}{number}")

    def _item(self, text: str, quantity: int, price: Decimal) -> None:
        self._lines.extend(self._wrapper.wrap(text))
        self._amount(f"  {quantity} x {price:.2f}", quantity * price)
        self._total += quantity * price

    @subscribe("/till/receipt")
    def on_receipt(self, shop: str, items: list[dict[str, Any]], paid: str = "") -> dict[str, Any]:
        self._begin(shop)
        for item in items:
            self._item(item["text"], item["quantity"], Decimal(item["price"]))
        self._rule("=")
        self._amount("TOTAL", self._total)
        if paid:
            given = Decimal(paid)
            self._amount("GIVEN", given)
            self._amount("CHANGE", given - self._total)
        return {"text": "\n".join(self._lines), "lines": len(self._lines), "total": str(self._total)}
