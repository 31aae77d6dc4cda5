import sqlite3
import unittest

from migrations import phones, users


class T(unittest.TestCase):
    def test_old_rows_get_an_empty_phone(self):
        db = sqlite3.connect(":memory:")
        users.up(db)
        db.execute("insert into users (name) values ('a')")
        phones.up(db)
        self.assertEqual(db.execute("select phone from users").fetchall(), [("",)])
