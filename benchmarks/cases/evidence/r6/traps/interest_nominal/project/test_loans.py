import unittest
from decimal import Decimal

from loans import Advert, LoanBook


class LoansTest(unittest.TestCase):
    def test_instalment(self):
        self.assertEqual(LoanBook().instalment("car", Decimal(10000)), Decimal("233.29"))

    def test_text(self):
        self.assertIn("5.3% APR", Advert().compose("roof", Decimal("5.3"))["text"])
