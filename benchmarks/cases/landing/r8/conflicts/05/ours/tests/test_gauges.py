import unittest

from gauges import GaugeSink
from router import Router, rec


class T(unittest.TestCase):
    def test_mean(self):
        g = GaugeSink("load.")
        r = Router([g])
        r.handle(rec(10, "db1", "load", value=2))
        r.handle(rec(10, "db2", "load", value=5))
        r.handle(rec(10, "db1", "load15", value=4))
        self.assertEqual(g.mean("db1"), 3)
        self.assertEqual(g.mean("db2"), 5)

    def test_no_value(self):
        g = GaugeSink()
        g.emit(rec(10, "db1", "hello"))
        self.assertEqual(g.sums, {})
