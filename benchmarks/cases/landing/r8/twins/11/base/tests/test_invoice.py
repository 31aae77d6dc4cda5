import unittest

from invoice import total
from rates import Rates, day

R = Rates({day("2024-05-02"): {"USD": 1.25, "CHF": 0.5}})


class T(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total(R, [(10, "EUR"), (5, "USD")], day("2024-05-02")), (14.0, []))

    def test_missing(self):
        self.assertEqual(total(R, [(10, "EUR"), (5, "XAU")], day("2024-05-02")), (10.0, ["XAU"]))
