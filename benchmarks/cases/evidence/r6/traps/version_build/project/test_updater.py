import unittest

from updater import Updater


class UpdaterTest(unittest.TestCase):
    def test_newer(self):
        self.assertTrue(Updater().decide(70300)["update"])

    def test_skipped(self):
        updater = Updater()
        updater.skip(70300)
        self.assertFalse(updater.decide(70300)["update"])
