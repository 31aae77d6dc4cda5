# stateful
"""Reuses one text buffer and rewinds it without truncating, so the tail of a longer earlier receipt stays behind."""
import io
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

WIDTH = 32


def _row(left: str, right: str) -> str:
    gap = max(1, WIDTH - len(left) - len(right))
    return f"{left}{' ' * gap}{right}\n"


class ReceiptPrinter:
    """Renders receipts; the buffer is allocated only once because tills are slow."""

    def __init__(self) -> None:
        self._out = io.StringIO()

    def begin(self, till: str) -> None:
        self._out.seek(0)
        self._out.write(f"{till:^{WIDTH}}\n")
        self._out.write("-" * WIDTH + "\n")

    def position(self, name: str, price: Decimal) -> None:
        self._out.write(_row(name[:20], f"{price:.2f}"))

    def finish(self, total: Decimal) -> str:
        self._out.write("-" * WIDTH + "\n")
        self._out.write(_row("TOTAL", f"{total:.2f}"))
        return self._out.getvalue()


class ReceiptText(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._printer = ReceiptPrinter()

    @subscribe("/Till/Sale")
    def on_sale(self, till: str, positions: dict[str, str]) -> dict[str, str]:
        total = Decimal("0")
        self._printer.begin(till)
        for name, text in positions.items():
            price = Decimal(text)
            total += price
            self._printer.position(name, price)
        return {"till": till, "receipt": self._printer.finish(total)}
