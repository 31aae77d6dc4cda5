from pay.charger import Charger
from pay.wallet import Wallet


class Checkout:
    def __init__(self):
        self.wallet, self.charger = Wallet(), Charger()

    def run(self, customer, amount):
        chosen = self.wallet.choose(customer, amount)
        return self.charger.charge(source=chosen.payment_method, amount=chosen.amount)["receipt"]
