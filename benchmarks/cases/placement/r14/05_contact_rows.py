# pure
"""Each upload is read by its own reader and the report is returned with it."""
import csv
import io
from collections import Counter
from collections.abc import Iterator

from graphbus_core import GraphBusNode, subscribe

_ALIASES = {"e-mail": "email", "mail": "email", "full name": "name", "tel": "phone"}
_REQUIRED = {"name", "email"}


class UploadError(ValueError):
    pass


def header(names: list[str] | None) -> list[str]:
    cleaned = [name.strip().lower() for name in names or []]
    result = [_ALIASES.get(name, name) for name in cleaned]
    if missing := _REQUIRED - set(result):
        raise UploadError(f"missing: {', '.join(sorted(missing))}")
    return result


def contacts(text: str) -> Iterator[dict[str, str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";")
    names = header(next(reader, None))
    for row in reader:
        if any(cell.strip() for cell in row):
            yield dict(zip(names, (cell.strip() for cell in row)))


class ContactUpload(GraphBusNode):
    @subscribe("/Contacts/Uploaded")
    def on_event(self, upload: str, text: str) -> dict[str, object]:
        try:
            rows = list(contacts(text))
        except UploadError as error:
            return {"upload": upload, "error": str(error)}
        count = Counter(row.get("email", "").lower() for row in rows)
        twice = sorted(mail for mail, times in count.items() if mail and times > 1)
        return {"upload": upload, "rows": rows, "duplicates": twice}
