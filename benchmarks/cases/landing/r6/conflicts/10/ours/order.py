from enum import Enum


class Status(Enum):
    OPEN = "open"
    PAID = "paid"
    REFUNDED = "refunded"


class Order:
    def __init__(self, total):
        self.total = total
        self.status = Status.OPEN

    def pay(self):
        self.status = Status.PAID

    def refund(self):
        if self.status is not Status.PAID:
            raise ValueError("only a paid order can be refunded")
        self.status = Status.REFUNDED
