"""Accounts."""


class Account:
    def __init__(self, owner, cents=0):
        self.owner = owner
        self.cents = cents

    def title(self):
        return f"{self.owner}: {self.cents}"
