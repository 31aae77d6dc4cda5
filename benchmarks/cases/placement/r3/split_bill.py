# pure
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Account:
    name: str
    balance: int = 0
    history: list = field(default_factory=list)

    def book(self, cents, why):
        self.balance += cents
        self.history.append(why)


@dataclass
class Bank:
    accounts: dict = field(default_factory=dict)

    def __getitem__(self, name):
        if name not in self.accounts:
            self.accounts[name] = Account(name)
        return self.accounts[name]


class SplitBill(GraphBusNode):
    @subscribe("/Trip/Closed")
    def on_trip(self, payload):
        bank = Bank()
        for bill in payload["bills"]:
            share, rest = divmod(bill["cents"], len(bill["for"]))
            bank[bill["by"]].book(bill["cents"] - rest, bill["what"])
            for person in bill["for"]:
                bank[person].book(-share, bill["what"])
        self.publish("/Trip/Balances", {
            a.name: {"cents": a.balance, "bookings": len(a.history)}
            for a in bank.accounts.values()
        })
