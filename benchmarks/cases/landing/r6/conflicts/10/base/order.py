from enum import Enum


class Status(Enum):
    OPEN = "open"
    PAID = "paid"


class Order:
    def __init__(self, total):
        self.total = total
        self.status = Status.OPEN

    def pay(self):
        self.status = Status.PAID
