import unittest

from backfill import convert, last_rate
from rates import day


class Friday:
    def rate(self, cur, d):
        if d == day("2024-05-03"):
            return {"USD": 1.25, "EUR": 1.0}[cur]
        raise KeyError(d)


class T(unittest.TestCase):
    def test_sunday(self):
        self.assertEqual(last_rate(Friday(), "USD", day("2024-05-05")), (1.25, day("2024-05-03")))

    def test_too_old(self):
        self.assertIsNone(convert(Friday(), 1, "USD", "EUR", day("2024-06-01")))

    def test_convert(self):
        self.assertEqual(convert(Friday(), 10, "EUR", "USD", day("2024-05-04")), 12.5)
