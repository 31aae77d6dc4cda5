"""What the nodes are given: `graphbus run .graphbus --provide providers:database`."""

import os
import sqlite3
from collections.abc import Iterator


def database() -> Iterator[sqlite3.Connection]:
    """The stock; closed when the run stops."""
    connection = sqlite3.connect(os.environ.get("STOCK", "stock.db"), check_same_thread=False)
    with connection:
        connection.execute("CREATE TABLE IF NOT EXISTS stock (sku TEXT PRIMARY KEY, left INTEGER)")
        connection.execute("INSERT OR IGNORE INTO stock VALUES ('apple', 100)")
    yield connection
    connection.close()
