import sqlite3

import pytest

from rooms.db import book, connect, free
from rooms.usage import usage


def test_book():
    connection = connect()
    book(connection, "blue", "2024-05-01", 2)
    book(connection, "blue", "2024-05-02", 3)
    assert not free(connection, "blue", "2024-05-01") and free(connection, "red", "2024-05-01")
    assert usage(connection) == {"blue": 5}


def test_taken():
    connection = connect()
    book(connection, "blue", "2024-05-01", 2)
    with pytest.raises(sqlite3.IntegrityError):
        book(connection, "blue", "2024-05-01", 1)
