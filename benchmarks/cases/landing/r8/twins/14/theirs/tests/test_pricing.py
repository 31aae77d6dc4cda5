import unittest

from pricing import Pricer, basket


class T(unittest.TestCase):
    def test_gross(self):
        self.assertEqual(Pricer().gross("pen"), 240)

    def test_basket(self):
        self.assertEqual(basket(Pricer(), {"pen": 2, "book": 1}), 1530)
