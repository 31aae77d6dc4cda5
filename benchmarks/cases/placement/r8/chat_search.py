# stateful
"""Keeps every message it was given in an SQLite database in memory and searches them all."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE IF NOT EXISTS message (room TEXT, author TEXT, body TEXT, PRIMARY KEY (room, author, body));
CREATE INDEX IF NOT EXISTS by_room ON message (room);
"""


def connect() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    return db


def like(term: str) -> str:
    escaped = term.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


class ChatSearch(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.db = connect()

    @subscribe("/Chat/Post")
    def on_post(self, room: str, author: str, body: str) -> dict[str, object]:
        row = (room.strip("#"), author, body)
        with self.db:
            self.db.execute("INSERT OR IGNORE INTO message VALUES (?, ?, ?)", row)
        return {"room": row[0], "stored": True}

    @subscribe("/Chat/Find")
    def on_find(self, room: str, term: str) -> list[str]:
        query = "SELECT author FROM message WHERE room = ? AND body LIKE ? ESCAPE '!' ORDER BY author"
        with closing(self.db.execute(query, (room, like(term)))) as cursor:
            return [author for (author,) in cursor]
