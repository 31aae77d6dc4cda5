import unittest

from billingdesk import BillingDesk


class BillingDeskTest(unittest.TestCase):
    def test_open(self):
        desk = BillingDesk()
        self.assertEqual(desk.open_account(1003)["account"], "1003-COU")
        self.assertEqual(desk.accounts, {1003: 30})

    def test_unknown(self):
        self.assertRaises(LookupError, BillingDesk().open_account, 9)
