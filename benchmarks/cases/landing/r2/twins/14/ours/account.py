"""Accounts."""


class Account:
    def __init__(self, holder, cents=0):
        self.holder = holder
        self.cents = cents

    def title(self):
        return f"{self.holder}: {self.cents}"
