# stateful
"""Keeps the columns of the first contact: the dictionary writer fixes its field names once, later columns are dropped."""
import csv
import io

from graphbus_core import GraphBusNode, subscribe


class RowWriter(csv.DictWriter):
    """A DictWriter that finds out its columns by itself."""

    def __init__(self, stream: io.StringIO) -> None:
        super().__init__(stream, fieldnames=(), restval="-", extrasaction="ignore", lineterminator="\n")

    def writerow(self, rowdict: dict[str, str]) -> int:
        if not self.fieldnames:
            self.fieldnames = tuple(rowdict)
        return super().writerow(rowdict)


def tidy(contact: dict[str, str]) -> dict[str, str]:
    out = {}
    for key, value in contact.items():
        value = " ".join(value.split())
        if key == "email":
            value = value.lower()
        if value:
            out[key] = value
    return out


class ContactExport(GraphBusNode):
    """Answers with the CSV row of a contact."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = io.StringIO(newline="")
        self._writer = RowWriter(self._stream)

    @subscribe("/Crm/Contact")
    def on_contact(self, contact: dict[str, str]) -> str:
        self._stream.seek(0)
        self._stream.truncate()
        self._writer.writerow(tidy(contact))
        return self._stream.getvalue()
