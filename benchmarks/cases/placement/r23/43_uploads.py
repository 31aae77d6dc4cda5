# pure
"""The decoder is made for each upload, whose pieces all stand in one event."""
import codecs
import csv
from collections import Counter
from itertools import chain

from graphbus_core import GraphBusNode, subscribe


def decoded(pieces, encoding):
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for piece in pieces:
        yield decoder.decode(bytes.fromhex(piece))
    yield decoder.decode(b"", final=True)


def rows(pieces, encoding):
    text = "".join(decoded(pieces, encoding))
    dialect = ";" if text.partition("\n")[0].count(";") else ","
    return csv.reader(text.splitlines(), delimiter=dialect)


def courses(table):
    header = next(table, [])
    if "course" not in header:
        return
    column = header.index("course")
    yield from (row[column].strip() for row in table if len(row) > column)


class Uploads(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.encodings = chain(("utf-8",), ("latin-1",))
        self.known = tuple(self.encodings)

    @subscribe("/Admin/Upload")
    def on_upload(self, pieces: list[str], encoding: str = "utf-8") -> dict:
        encoding = encoding if encoding in self.known else self.known[0]
        tally = Counter(courses(rows(pieces, encoding)))
        return {"entries": tally.total(), "courses": dict(sorted(tally.items()))}
