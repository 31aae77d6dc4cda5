import unittest

from pricing import Pricer, basket


class T(unittest.TestCase):
    def test_gross(self):
        self.assertEqual(Pricer().gross("pen"), 240)

    def test_export(self):
        p = Pricer()
        p.ship_to("ch")
        self.assertEqual(p.gross("book"), 1000)

    def test_basket(self):
        self.assertEqual(basket(Pricer(), {"pen": 2, "book": 1}), 1530)
