import unittest

from vault.template import fill


class FakeVault(dict):
    def read(self, name):
        return self[name]


class FillTest(unittest.TestCase):
    def setUp(self):
        self.vault = FakeVault(token="t0k")

    def test_secret(self):
        self.assertEqual(fill("key = ${secret:token}", self.vault), "key = t0k")

    def test_fallback(self):
        self.assertEqual(fill("${secret:user|guest}", self.vault), "guest")

    def test_no_fallback(self):
        with self.assertRaises(KeyError):
            fill("${secret:user}", self.vault)
