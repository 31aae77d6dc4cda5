import unittest

from router import Router, rec


class T(unittest.TestCase):
    def test_levels(self):
        r = Router()
        self.assertEqual(r.handle(rec(10, "db1", "vacuum")), 1)
        self.assertEqual(r.handle(rec(50, "db1", "disk full")), 2)
        self.assertEqual(r.sinks[1].out, ["50 db1 disk full"])
        self.assertEqual(r.sinks[1].dropped, 1)

    def test_repeats(self):
        r = Router()
        for msg in "a", "a", "b", "a":
            r.handle(rec(10, "db1", msg))
        self.assertEqual(r.sinks[0].out, ["10 db1 a", "10 db1 b", "10 db1 a"])


if __name__ == "__main__":
    unittest.main()
