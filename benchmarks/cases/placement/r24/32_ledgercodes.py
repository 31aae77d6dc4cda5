# stateful
"""An Enum invents members for unknown accounts and gives each the next free code, in order of appearance."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Account(Enum):
    RENT = ("rent", 4100)
    WAGES = ("wages", 4200)

    def __new__(cls, label, code):
        member = object.__new__(cls)
        member._value_ = label
        member.code = code
        return member

    @classmethod
    def _missing_(cls, label):
        if not isinstance(label, str):
            return None
        member = object.__new__(cls)
        member._name_ = label.upper()
        member._value_ = label
        member.code = 9000 + 10 * (len(cls._value2member_map_) - len(cls))
        cls._value2member_map_[label] = member
        return member


def posting(account, cents):
    side = "debit" if cents >= 0 else "credit"
    return {"code": account.code, side: f"{abs(cents) / 100:.2f}", "text": account.name.title()}


class Ledger(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.bank_code = 1200

    @subscribe("/books/entry")
    def on_entry(self, account: str, cents: int) -> list[dict]:
        entry = posting(Account(account.strip().lower()), cents)
        counter = {"code": self.bank_code, "text": "Bank"}
        return [entry, counter]
