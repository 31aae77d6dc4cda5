# stateful
from graphbus_core import GraphBusNode, subscribe


class Ledger:
    def __init__(self):
        self.balance = 0

    def book(self, amount):
        self.balance = self.balance + amount
        return self.balance


class AccountClerk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.ledger = Ledger()

    @subscribe("/Account/Booked")
    def on(self, payload):
        self.publish("/Account/Balance", {"balance": self.ledger.book(payload["sum"])})
