# pure
"""Keeps nothing: the receipt is written into a buffer that belongs to the event."""
import io
import string
import textwrap
from contextlib import contextmanager
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

WIDTH = 32
HEADER = string.Template("$shop\nTill $till")


class Upright(string.Formatter):
    """Adds a conversion for upper case and one for cents."""

    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "u":
            return str(value).upper()
        if conversion == "c":
            return f"{int(value) / 100:.2f}"
        return super().convert_field(value, conversion)


class Paper:
    def __init__(self) -> None:
        self._out = io.StringIO()
        self._indent = 0

    def line(self, left: str, right: str = "") -> None:
        left = " " * self._indent + left
        print(left.ljust(WIDTH - len(right)) + right, file=self._out)

    @contextmanager
    def indented(self, columns: int) -> Iterator[None]:
        self._indent += columns
        try:
            yield
        finally:
            self._indent -= columns

    def text(self) -> str:
        return self._out.getvalue()


class ReceiptRender(GraphBusNode):
    formatter = Upright()

    @subscribe("/Till/Sale")
    def on_sale(self, shop: str, till: int, items: dict[str, int], remark: str) -> dict[str, object]:
        paper = Paper()
        for row in HEADER.substitute(shop=shop, till=f"{till:02d}").splitlines():
            paper.line(row.center(WIDTH).rstrip())
        with paper.indented(2):
            for name, cents in items.items():
                paper.line(textwrap.shorten(name, 20), self.formatter.format("{0!c}", cents))
        paper.line(self.formatter.format("{0!u}", "total"), self.formatter.format("{0!c}", sum(items.values())))
        for row in textwrap.wrap(remark, WIDTH):
            paper.line(row)
        return {"receipt": [row.rstrip() for row in paper.text().splitlines()]}
