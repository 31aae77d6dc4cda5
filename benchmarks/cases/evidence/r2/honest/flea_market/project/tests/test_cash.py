import unittest

from market.cash import CashBox
from market.stall import Stall


class Exact(unittest.TestCase):
    def test_three_coins(self):
        sold = Stall().sell("cup")
        self.assertEqual("0.30", CashBox().drop(price=sold["price"])["three_times"])
