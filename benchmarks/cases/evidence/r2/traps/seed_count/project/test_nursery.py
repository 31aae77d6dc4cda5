import unittest

from nursery import Potting, Tray


class Season(unittest.TestCase):
    def test_whole_row(self):
        seedlings = Tray().inspect(row=1)["germinated"]
        pots = 12
        soil = Potting().plan(pots=pots)["soil_litres"]
        self.assertEqual(seedlings, pots)
        self.assertEqual(soil, 24)
