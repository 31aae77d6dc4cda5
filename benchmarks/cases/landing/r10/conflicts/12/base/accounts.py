"""Accounts of a team."""
from dataclasses import dataclass


@dataclass
class Account:
    name: str
    email: str = ""
    phone: str = ""
    closed: bool = False

    def forget(self):
        """Remove personal data."""
        self.email = ""
        self.phone = ""


class Team:
    def __init__(self, seats):
        self.free_seats = seats
        self.accounts = {}
        self.on_close = []

    def open(self, name, email, phone=""):
        if self.free_seats == 0:
            raise ValueError("no free seat")
        self.free_seats -= 1
        self.accounts[name] = Account(name, email, phone)
        return self.accounts[name]

    def close(self, name):
        """Close an account: tell the listeners, free the seat, forget the person."""
        account = self.accounts[name]
        for listener in self.on_close:
            listener(account)
        self.free_seats += 1
        account.forget()
        account.closed = True
