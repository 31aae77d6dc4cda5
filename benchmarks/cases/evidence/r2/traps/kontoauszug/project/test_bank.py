import unittest

from bank import Budget, Export


class TestBudget(unittest.TestCase):
    def setUp(self):
        self.row = Export().row(1)

    def test_rest(self):
        betrag = float(self.row["betrag"].replace(".", "").replace(",", "."))
        self.assertEqual(Budget().book(betrag, self.row["zweck"])["rest"], 750)


if __name__ == "__main__":
    unittest.main()
