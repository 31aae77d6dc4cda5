from decimal import Decimal

LIMIT = Decimal(10000)


class Ledger:
    def __init__(self):
        self.entries = []

    def record(self, donor, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > LIMIT:
            raise ValueError("too much for the online ledger")
        self.entries.append((donor, amount))

    def balance(self):
        return sum((amount for _, amount in self.entries), Decimal(0))
