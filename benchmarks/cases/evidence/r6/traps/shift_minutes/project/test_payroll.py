import unittest

from clock import TimeClock
from payroll import Payroll

BREAK = 30


class PayrollTest(unittest.TestCase):
    def test_long_day(self):
        seen = TimeClock().day("ida", "2024-03-05")
        minutes = seen["present_minutes"]
        if minutes > 360:
            minutes -= BREAK
        self.assertEqual(Payroll().wage("ida", minutes), {"wage": "192.00"})


if __name__ == "__main__":
    unittest.main()
