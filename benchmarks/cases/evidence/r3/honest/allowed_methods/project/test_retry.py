import unittest

from net.policy import Policy
from net.retry import Retry


class RetryTest(unittest.TestCase):
    def setUp(self):
        self.policy = Policy().read("3:GET HEAD")

    def test_plan(self):
        plan = Retry().decide(method_whitelist=self.policy["allowed_methods"], attempts=self.policy["attempts"])
        self.assertEqual(plan["plan"], {"GET": 3, "HEAD": 3, "POST": 0})
