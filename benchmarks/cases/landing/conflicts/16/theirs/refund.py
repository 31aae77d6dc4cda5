import fx


class Refund:
    fee = 1

    def __init__(self, amount):
        self.amount = amount

    def due(self):
        return fx.convert(self.amount) - self.fee
