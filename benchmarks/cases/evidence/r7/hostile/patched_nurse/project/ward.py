from nurse import Nurse
from pharmacy import Pharmacy


class Ward:
    def __init__(self):
        self.pharmacy, self.nurse = Pharmacy(), Nurse()

    def round_(self, drug):
        prepared = self.pharmacy.prepare(drug)
        return self.nurse.give(amount=prepared["dose_mg"])["tablets"]
