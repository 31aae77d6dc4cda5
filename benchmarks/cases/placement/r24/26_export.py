# pure
"""The buffer is reused, but wound back and cut to nothing before each sheet."""
import csv
import io
from threading import Lock

from graphbus_core import GraphBusNode, subscribe


class Sheet:
    HEAD = ("item", "amount")

    def __init__(self):
        self._buffer = io.StringIO()
        self._lock = Lock()

    def _rewind(self):
        self._buffer.seek(0)
        self._buffer.truncate()

    def render(self, rows, delimiter):
        with self._lock:
            self._rewind()
            out = csv.writer(self._buffer, delimiter=delimiter, lineterminator="\n")
            out.writerow(self.HEAD)
            for item, amount in rows:
                shown = f"{amount:.2f}"
                if delimiter == ";":
                    shown = shown.replace(".", ",")
                out.writerow((item, shown))
            return self._buffer.getvalue()


class Exporter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.sheet = Sheet()

    @subscribe("/sheets/export")
    def on_export(self, rows: list, delimiter: str) -> dict:
        if len(delimiter) != 1:
            return {"error": "one character, please"}
        text = self.sheet.render(rows, delimiter)
        return {
            "text": text,
            "lines": text.count("\n"),
            "quoted": '"' in text,
            "sum": sum(amount for _, amount in rows),
        }
