"""Customer accounts."""
from money import Money


class Account:
    _open: dict[str, "Account"] = {}

    def __init__(self, number: str) -> None:
        self.number = number
        self.balance = Money.zero()
        self.entries: list[str] = []

    @classmethod
    def open(cls, number: str) -> "Account":
        number = number.replace(" ", "").upper()
        if number not in cls._open:
            cls._open[number] = cls(number)
        return cls._open[number]

    @staticmethod
    def is_valid(number: str) -> bool:
        digits = [int(c) for c in number if c.isdigit()]
        return len(digits) == 4 and sum(digits) % 2 == 0

    def charge(self, what: str, amount: Money) -> Money:
        self.entries.append(f"{what}: {amount}")
        self.balance = self.balance + amount
        return self.balance
