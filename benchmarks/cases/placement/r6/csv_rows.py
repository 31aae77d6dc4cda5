# pure
"""The writer and its buffer are kept, and the buffer is rewound and cut off before every event."""
import csv
import io

from graphbus_core import GraphBusNode, subscribe


class RowWriter:
    def __init__(self, delimiter: str) -> None:
        self._buffer = io.StringIO(newline="")
        self._writer = csv.writer(self._buffer, delimiter=delimiter, lineterminator="\r\n")

    def text(self, rows: list[list[object]]) -> str:
        self._buffer.seek(0)
        self._buffer.truncate()
        self._writer.writerows(rows)
        return self._buffer.getvalue()


class CsvRows(GraphBusNode):
    DELIMITERS = {"excel-de": ";", "tab": "\t"}

    def __init__(self) -> None:
        super().__init__()
        self._writers: dict[str, RowWriter] = {}

    @subscribe("/export/rows")
    def on_rows(self, flavour: str, header: list[str], records: list[dict[str, object]]) -> dict[str, object]:
        delimiter = self.DELIMITERS.get(flavour, ",")
        if delimiter not in self._writers:
            self._writers[delimiter] = RowWriter(delimiter)
        rows: list[list[object]] = [list(header)]
        rows += ([record.get(name, "") for name in header] for record in records)
        text = self._writers[delimiter].text(rows)
        return {"csv": text, "bytes": len(text.encode())}
