# pure
"""Answers a query over the finding aid in the event; the database is opened and closed within the event."""
import re
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

ENTRY = re.compile(r"^(?P<fonds>[A-Z]+)\s(?P<box>\d+)/(?P<folder>\d+)\s+(?P<start>\d{4})(?:-(?P<end>\d{4}))?\s+(?P<title>.+)$")
TABLE = "CREATE TABLE entry (fonds TEXT, box INTEGER, folder INTEGER, start INTEGER, end INTEGER, title TEXT)"
FONDS = {"STA": "Town archive", "GEM": "Parish", "NL": "Papers of persons"}
CLOSED_YEARS = {"NL": 60}


def rows(lines: list[str]) -> list[dict[str, object]]:
    found = []
    for line in lines:
        match = ENTRY.match(line.strip())
        if match:
            row: dict[str, object] = match.groupdict()
            row["end"] = row["end"] or row["start"]
            found.append(row)
    return found


def build(lines: list[str]) -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    base.execute(TABLE)
    base.executemany("INSERT INTO entry VALUES (:fonds, :box, :folder, :start, :end, :title)", rows(lines))
    base.create_function("open_from", 2, lambda fonds, end: end + CLOSED_YEARS.get(fonds, 30))
    return base


def reference(row: sqlite3.Row) -> str:
    return f"{FONDS.get(row['fonds'], row['fonds'])}, box {row['box']}, no. {row['folder']}"


class FindingAid(GraphBusNode):
    QUERY = """
        SELECT *, open_from(fonds, end) AS free FROM entry
        WHERE title LIKE :word AND start <= :until AND end >= :since
        ORDER BY start, fonds, box, folder LIMIT 20
    """

    @subscribe("/Archive/Query")
    def on_query(self, lines: list[str], word: str, since: int, until: int, year: int) -> dict[str, object]:
        with closing(build(lines)) as base:
            hits = base.execute(self.QUERY, {"word": f"%{word}%", "since": since, "until": until}).fetchall()
            boxes = base.execute("SELECT COUNT(DISTINCT fonds || '/' || box) FROM entry").fetchone()[0]
        return {
            "hits": [f"{row['title']} ({reference(row)})" for row in hits],
            "closed": [row["title"] for row in hits if row["free"] > year],
            "boxes": boxes,
        }
