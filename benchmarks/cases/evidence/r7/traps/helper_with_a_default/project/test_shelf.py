import unittest

from shelf import Shelf
from tape import Tape


def cut(length=900):
    return Shelf().cut(board=length)


class ShelfTest(unittest.TestCase):
    def test_default(self):
        self.assertEqual(cut(), {"rest": 1100})

    def test_given(self):
        self.assertEqual(cut(length=1850)["rest"], 150)

    def test_tape(self):
        length = Tape().measure()["length"]
        self.assertGreater(length, 0)
