import sqlite3
import unittest

import migrations


class T(unittest.TestCase):
    def test_twice(self):
        db = sqlite3.connect(":memory:")
        self.assertEqual(migrations.migrate(db)[:2], [1, 2])
        self.assertEqual(migrations.migrate(db), [])
        db.execute("insert into users (name, email) values ('a', 'b')")
