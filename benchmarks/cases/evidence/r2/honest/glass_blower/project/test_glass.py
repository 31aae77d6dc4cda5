from unittest import TestCase, main

from glass import Furnace, Gaffer


class TestGaffer(TestCase):
    def setUp(self):
        self.gaffer = Gaffer()
        self.melted = Furnace().melt(batch="soda")

    def test_workable(self):
        self.assertTrue(self.gaffer.blow(heat=self.melted["celsius"])["workable"])

    def tearDown(self):
        del self.melted


if __name__ == "__main__":
    main()
