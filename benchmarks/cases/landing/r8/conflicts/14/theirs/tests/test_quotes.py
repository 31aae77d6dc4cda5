import unittest

from pricing import Pricer
from quotes import Quotes


class T(unittest.TestCase):
    def test_price(self):
        q = Quotes(Pricer())
        self.assertEqual([q.price("pen"), q.price("pen"), q.price("book")], [240, 240, 1050])
        self.assertEqual(q.hits, 1)

    def test_text(self):
        self.assertEqual(Quotes(Pricer()).text("pen", 10), "10 x pen: 24.00")
