# stateful
"""Keeps one text buffer that is rewound but never truncated, so the tail of a longer statement shows up after a shorter one."""
import io
from typing import Iterable, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Booking(TypedDict):
    text: str
    cents: int


class ColumnWriter:
    """Fixed-width rows on a reusable buffer (allocating one per statement was slow on the old box)."""

    WIDTHS = (24, 12)

    def __init__(self) -> None:
        self._out = io.StringIO()

    def begin(self) -> "ColumnWriter":
        self._out.seek(0)
        return self

    def row(self, left: str, right: str) -> "ColumnWriter":
        a, b = self.WIDTHS
        self._out.write(f"{left[:a]:<{a}}{right[:b]:>{b}}\n")
        return self

    def rule(self) -> "ColumnWriter":
        self._out.write("-" * sum(self.WIDTHS) + "\n")
        return self

    def text(self) -> str:
        return self._out.getvalue()


def euros(cents: int) -> str:
    sign = "-" if cents < 0 else "+"
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def running(bookings: Iterable[Booking]) -> int:
    return sum(b["cents"] for b in bookings)


class StatementPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._page = ColumnWriter()

    @subscribe("/Account/Statement")
    def on_statement(self, account: str, bookings: list[Booking]) -> dict[str, str]:
        page = self._page.begin()
        page.row("Account", account).rule()
        for booking in bookings:
            page.row(booking["text"], euros(booking["cents"]))
        page.rule().row("Balance", euros(running(bookings)))
        return {"account": account, "document": page.text()}
