import sqlite3
import unittest

from migrations import unique_email, users, users_email


class T(unittest.TestCase):
    def test_doubles(self):
        db = sqlite3.connect(":memory:")
        users.up(db)
        db.executemany("insert into users (name) values (?)", [("a",), ("a",), ("b",)])
        users_email.up(db)
        unique_email.up(db)
        rows = [e for (e,) in db.execute("select email from users order by id")]
        self.assertEqual(rows, ["a@corp.example", None, "b@corp.example"])
