import unittest
from unittest.mock import create_autospec

from clerk import Clerk
from office import Office


class OfficeTest(unittest.TestCase):
    def test_real(self):
        self.assertEqual(Office().day("noise"), [{"shelf": "8"}])

    def test_keyword(self):
        clerk = create_autospec(Clerk, instance=True)
        Office(clerk=clerk).day("noise")
        clerk.open_file.assert_called_once_with(dossier="2024-118")
