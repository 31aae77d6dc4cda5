# pure
"""Reuses one text buffer, but rewinds and truncates it before every event, so nothing of an earlier one is left."""
import csv
import io
from datetime import date

from graphbus_core import GraphBusNode, subscribe

COLUMNS = ("date", "text", "debit", "credit", "balance")


def _money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02d}"


class Sheet:
    def __init__(self) -> None:
        self._out = io.StringIO()
        self._writer = csv.DictWriter(self._out, COLUMNS, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)

    def clear(self) -> None:
        self._out.seek(0)
        self._out.truncate()
        self._writer.writeheader()

    def line(self, **cells: str) -> None:
        self._writer.writerow(cells)

    def text(self) -> str:
        return self._out.getvalue()


class StatementCsv(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sheet = Sheet()

    @subscribe("/Bank/Statement")
    def on_statement(self, account: str, opening: int, bookings: list[list[str]]) -> dict:
        self._sheet.clear()
        balance = opening
        for day, text, cents in sorted(bookings):
            value = int(cents)
            balance += value
            self._sheet.line(
                date=date.fromisoformat(day).strftime("%d.%m.%Y"),
                text=text,
                debit=_money(-value) if value < 0 else "",
                credit=_money(value) if value >= 0 else "",
                balance=_money(balance),
            )
        return {"account": account, "csv": self._sheet.text(), "closing": _money(balance)}
