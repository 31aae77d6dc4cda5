import unittest

from home.card import Card
from home.entity import Entity


class CardTest(unittest.TestCase):
    def setUp(self):
        self.snapshot = Entity().snapshot("fan.attic")

    def test_lines(self):
        shown = Card().show(
            state=self.snapshot["state"],
            device_state_attributes=self.snapshot["extra_state_attributes"],
        )
        self.assertEqual(shown["lines"], ["on", "filter=clean", "id=fan.attic"])
