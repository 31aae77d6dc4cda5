from decimal import Decimal


class Ledger:
    def __init__(self):
        self.entries = []

    def record(self, donor, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        # the form lets only amounts up to the limit through
        self.entries.append((donor, amount))

    def balance(self):
        return sum((amount for _, amount in self.entries), Decimal(0))
