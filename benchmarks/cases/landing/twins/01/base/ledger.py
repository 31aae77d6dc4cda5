class Ledger:
    def __init__(self):
        self.rows = []

    def post(self, account, cents):
        self.rows.append((account, cents))

    def balance(self, account):
        return sum(c for a, c in self.rows if a == account)
