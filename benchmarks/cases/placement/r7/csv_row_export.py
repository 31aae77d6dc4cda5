# stateful
"""The header goes out with the first row only, as the formatter keeps the writer that it made for that row."""
import csv
import io
from collections.abc import Iterable

from graphbus_core import GraphBusNode, subscribe

COLUMNS = ("id", "name", "balance")


class RowFormatter:
    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        self.sink: csv.DictWriter | None = None
        self.buffer = io.StringIO()

    def render(self, row: dict[str, object]) -> str:
        self.buffer.seek(0)
        self.buffer.truncate()
        if self.sink is None:
            self.sink = csv.DictWriter(self.buffer, self.columns, lineterminator="\n", extrasaction="ignore")
            self.sink.writeheader()
        self.sink.writerow(row)
        return self.buffer.getvalue()


def money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02d}"


class AccountExport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._formatter = RowFormatter(COLUMNS)

    @subscribe("/accounts/changed")
    def on_changed(self, account: int, owner: str, cents: int) -> None:
        print(self._formatter.render({"id": account, "name": owner, "balance": money(cents)}), end="")
